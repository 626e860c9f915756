#include "wire/envelope_codec.hpp"
#include "wire/envelope_guard.hpp"
#include "wire/exact_json.hpp"
#include "wire/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace hive::wire {
namespace {

Flow read_flow(const json::object& object, std::string path, Problems& problems) {
    ObjectReader in{object, std::move(path), problems};
    return {
        .input = in.need_choice(all_input_states, "input"),
        .output = in.need_choice(all_output_states, "output"),
        .context = in.freeform("context")};
}

IoState read_io_state(ObjectReader& data) {
    IoState state;
    const json::object* object = data.need_object("ioState");
    if (!object) return state;
    ObjectReader in{*object, data.path_of("ioState"), data.problems()};
    if (const auto* work = in.object("work")) {
        state.work = read_flow(*work, in.path_of("work"), in.problems());
    }
    if (const auto* files = in.object("filesystem")) {
        state.filesystem = read_flow(*files, in.path_of("filesystem"), in.problems());
    }
    return state;
}

Wiring read_wiring(ObjectReader& plane) {
    const json::object* object = plane.need_object("queues");
    if (!object) return {};
    ObjectReader in{*object, plane.path_of("queues"), plane.problems()};
    return {.in = in.texts("in"), .out = in.texts("out"), .routes = in.texts("routes")};
}

QueueDepth read_depth(const json::value& value, std::string path, Problems& problems) {
    if (!value.is_object()) {
        problems.add(path, "must be an object");
        return {};
    }
    ObjectReader in{value.get_object(), std::move(path), problems};
    return {
        .depth = in.need_count("depth"),
        .consumers = in.need_count("consumers"),
        .oldest_age_sec = in.count("oldestAgeSec")};
}

WorkIo read_work_io(const json::object& object, std::string path, Problems& problems) {
    ObjectReader in{object, std::move(path), problems};
    WorkIo io{.queues = read_wiring(in)};
    const json::object* stats = in.object("queueStats");
    if (!stats) return io;
    for (const auto& member : *stats) {
        const std::string queue{member.key()};
        const std::string where = fmt::format("{}.{}", in.path_of("queueStats"), queue);
        io.queue_stats.emplace(queue, read_depth(member.value(), where, problems));
    }
    return io;
}

Io read_io(ObjectReader& data) {
    Io io;
    const json::object* object = data.need_object("io");
    if (!object) return io;
    ObjectReader in{*object, data.path_of("io"), data.problems()};
    if (const auto* work = in.object("work")) {
        io.work = read_work_io(*work, in.path_of("work"), in.problems());
    }
    if (const auto* control = in.object("control")) {
        ObjectReader plane{*control, in.path_of("control"), in.problems()};
        io.control = read_wiring(plane);
    }
    return io;
}

Outcome read_outcome(Command command, ObjectReader& data) {
    return {
        .command = command,
        .status = data.need_choice(all_outcome_statuses, "status"),
        .retryable = data.flag("retryable"),
        .enabled = data.flag("enabled"),
        .context = data.freeform("context")};
}

StatusFull read_full(ObjectReader& data) {
    return {
        .enabled = data.need_flag("enabled"),
        .started_at = data.need_time("startedAt"),
        .tps = data.count("tps"),
        .config = data.need_freeform("config"),
        .io = read_io(data),
        .io_state = read_io_state(data),
        .context = data.freeform("context")};
}

StatusDelta read_delta(ObjectReader& data) {
    return {
        .enabled = data.need_flag("enabled"),
        .tps = data.count("tps"),
        .io_state = read_io_state(data),
        .context = data.freeform("context")};
}

Alert read_alert(ObjectReader& data) {
    return {
        .level = data.need_choice(all_alert_levels, "level"),
        .code = data.need_text("code").value_or("?"),
        .message = data.need_text("message").value_or("?"),
        .error_type = data.text("errorType"),
        .error_detail = data.text("errorDetail"),
        .log_ref = data.text("logRef"),
        .context = data.freeform("context")};
}

template <class Names>
std::string not_one_of(std::string_view text, const Names& names) {
    return fmt::format("{} is not one of {}", in_quotes(text), fmt::join(names, ", "));
}

// What the envelope says it is; nothing when it says so wrongly.
struct Shape {
    Family family;
    std::string_view type; // static storage
};

std::optional<Shape> read_shape(ObjectReader& in) {
    static constexpr std::array<std::string_view, 4> kinds{"signal", "outcome", "metric", "event"};
    static_assert(kinds.size() == all_families.size());
    const auto kind = in.need_text("kind");
    const auto type = in.need_text("type");
    if (!kind || !type) return {};
    const auto found = std::ranges::find(kinds, *kind);
    if (found == kinds.end()) {
        in.problem("kind", not_one_of(*kind, kinds));
        return {};
    }
    const Family family = all_families[static_cast<std::size_t>(found - kinds.begin())];
    const auto& types = types_of(family);
    const auto known = std::ranges::find(types, *type);
    if (known != types.end()) return Shape{family, *known};
    in.problem("type", not_one_of(*type, types));
    return {};
}

Body read_body(const Shape& shape, ObjectReader& envelope) {
    if (shape.family == Family::signal) {
        return Signal{*parse_signal_type(shape.type), envelope.need_freeform("data")};
    }
    const json::object* object = envelope.need_object("data");
    if (!object) return {};
    ObjectReader data{*object, "data", envelope.problems()};
    switch (shape.family) {
    case Family::signal: break; // above
    case Family::outcome: return read_outcome(*parse_outcome_type(shape.type), data);
    case Family::metric:
        if (shape.type == status_full) return read_full(data);
        return read_delta(data);
    case Family::alert: return read_alert(data);
    }
    std::abort();
}

template <class TargetType>
TargetType read_target(ObjectReader& in, std::string_view name) {
    const auto text = in.need_text(name);
    if (!text) return TargetType::all();
    auto target = TargetType::parse(*text);
    if (target) return *std::move(target);
    in.problem(name, target.error().detail);
    return TargetType::all();
}

// Nothing when any part of it is wrong.
std::optional<Scope> read_scope(ObjectReader& envelope) {
    const json::object* object = envelope.need_object("scope");
    if (!object) return {};
    const std::size_t before = envelope.problems().count();
    ObjectReader in{*object, "scope", envelope.problems()};
    Scope scope{
        read_target<Target<SwarmId>>(in, "swarmId"), read_target<Target<Role>>(in, "role"),
        read_target<Target<InstanceId>>(in, "instance")};
    if (envelope.problems().count() > before) return {};
    return scope;
}

std::optional<Origin> read_origin(ObjectReader& in) {
    const auto text = in.need_text("origin");
    if (!text) return {};
    auto origin = Origin::parse(*text);
    if (origin) return *std::move(origin);
    in.problem("origin", origin.error().detail);
    return {};
}

void check_version(ObjectReader& in) {
    const auto version = in.need_text("version");
    if (version && *version != "1") in.problem("version", not_one_of(*version, std::array{"1"}));
}

// Reads an envelope, then checks the rules on those of its parts that could be read.
class EnvelopeReader {
public:
    explicit EnvelopeReader(const json::object& object) : in_{object, "", problems_} {}

    Result<Envelope> read() && {
        check_version(in_);
        const Timestamp at = in_.need_time("timestamp");
        auto origin = read_origin(in_);
        auto scope = read_scope(in_);
        const std::size_t before_attempt = problems_.count();
        auto correlation_id = in_.text_or_null("correlationId");
        auto idempotency_key = in_.text_or_null("idempotencyKey");
        const bool attempt_read = problems_.count() == before_attempt;
        const auto shape = read_shape(in_);
        const std::size_t before_body = problems_.count();
        Body body = shape ? read_body(*shape, in_) : (in_.need_object("data"), Body{});
        const bool body_read = shape && problems_.count() == before_body;
        in_.close();

        if (!origin || !scope) return fail(problems_.error());
        Envelope envelope{
            Sender{*std::move(origin), at}, *std::move(scope), std::move(correlation_id),
            std::move(idempotency_key), std::move(body)};
        if (shape && attempt_read) guard_attempt(envelope, problems_);
        if (shape) guard_scope(envelope, problems_);
        if (body_read) guard_body(envelope, problems_);
        if (!problems_.empty()) return fail(problems_.error());
        return envelope;
    }

private:
    Problems problems_;
    ObjectReader in_;
};

} // namespace

Result<Envelope> decode_envelope(std::string_view text, JsonLimits limits) {
    const auto document = parse_exact_json(text, limits);
    if (!document) return fail(document.error());
    if (!document->is_object()) return fail(Errc::invalid, "a control message must be an object");
    return EnvelopeReader{document->get_object()}.read();
}

} // namespace hive::wire

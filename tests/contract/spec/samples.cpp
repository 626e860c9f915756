#include "tests/contract/spec/samples.hpp"

#include "kernel/json.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace hive::tests {
namespace {

using namespace hive::wire;

const Sender queen{
    *Origin::parse("orchestrator:queen"), Timestamp{std::chrono::seconds{1'757'680'496}}};
const Sender marshal{*Origin::parse("swarm-controller:alpha-marshal"), queen.at};
const Attempt attempt{"c-1", "k-1"};

Scope scope(std::string_view swarm, std::string_view role, std::string_view instance) {
    return {
        *Target<SwarmId>::parse(swarm), *Target<Role>::parse(role),
        *Target<InstanceId>::parse(instance)};
}

const Scope controller = scope("alpha", "swarm-controller", "alpha-marshal");
const Scope bee = scope("alpha", "processor", "alpha-processor-1");

void add_commands(std::vector<Envelope>& out) {
    for (const Signal& signal :
         {Signal::swarm_template({{"id", "alpha"}, {"bees", json::array{}}}),
          Signal::swarm_plan({}), Signal::swarm_start(), Signal::swarm_stop(),
          Signal::swarm_remove(), Signal::config_update({{"rate", 12.5}}), Signal::enable(true),
          Signal::status_request()}) {
        out.push_back(Envelope::signal(queen, controller, attempt, signal));
    }
    out.push_back(Envelope::signal(queen, {}, {"c-2"}, Signal::status_request()));
    for (const Command command : all_commands) {
        if (!has_outcome(command)) continue;
        const Outcome success = command == Command::config_update ? Outcome::applied(false)
                                                                  : Outcome::succeeded(command);
        for (const Outcome& outcome :
             {success, Outcome::failed(command), Outcome::not_ready(command, {{"ready", false}})}) {
            out.push_back(Envelope::outcome(marshal, controller, attempt, outcome));
        }
    }
}

void add_reports(std::vector<Envelope>& out) {
    const Flow flow{InputState::out_of_data, OutputState::throttled, {}};
    const Wiring wiring{{"ph.work.alpha.in"}, {}, {"ph.work.alpha.out"}};
    const WorkIo work{wiring, {{"ph.work.alpha.in", {3, 1, 9}}}};
    out.push_back(
        Envelope::status(marshal, bee, StatusFull{.io = {work, wiring}, .io_state = {flow, flow}}));
    out.push_back(Envelope::status(
        marshal, controller,
        StatusFull{.enabled = true, .context = json::object{{"workers", json::array{}}}}));
    out.push_back(Envelope::status(
        marshal, bee, StatusDelta{.enabled = true, .tps = 12, .io_state = {.work = flow}}));
    out.push_back(Envelope::status(
        marshal, controller, StatusDelta{.context = json::object{{"swarmStatus", "RUNNING"}}}));
    for (const AlertLevel level : all_alert_levels) {
        out.push_back(Envelope::alert(
            marshal, bee,
            {.level = level,
             .code = std::string{alert_code::io_out_of_data},
             .message = "the file has been read to its end"}));
    }
}

// Everything below draws from one seed.
class Dice {
public:
    explicit Dice(Random& random) : random_{random} {}

    bool maybe() { return random_.chance(0.5); }
    std::size_t below(std::size_t bound) { return random_.below(bound); }
    template <class Choices>
    auto one_of(const Choices& choices) {
        return choices[below(choices.size())];
    }
    template <class Make>
    auto perhaps(Make make) -> std::optional<decltype(make())> {
        if (maybe()) return make();
        return std::nullopt;
    }

    std::string id() {
        static constexpr std::string_view letters = "abcXYZ019";
        std::string out{one_of(letters)};
        for (std::size_t n = below(20); n > 0; --n) out += one_of(std::string_view{"ab9_-Z"});
        return out;
    }
    std::string text() {
        static const std::array<std::string, 10> pieces{
            "plain", "\"", "\\", "\n", std::string(1, '\0'), "\x7f", "é", "蜂", "🐝", "/"};
        std::string out;
        for (std::size_t n = below(12); n > 0; --n) out += one_of(pieces);
        return out;
    }
    std::string some_text() { return "x" + text(); }
    Timestamp time() {
        static constexpr std::array<std::int64_t, 4> grains{1, 1000, 1'000'000, 1'000'000'000};
        const auto grain = one_of(grains);
        const auto range = std::int64_t{7'000'000'000'000'000'000} / grain;
        return Timestamp{
            Duration{static_cast<std::int64_t>(below(static_cast<std::size_t>(range))) * grain}};
    }
    std::uint64_t count() { return random_.below(std::uint64_t{1} << below(54)); }

    json::value value(int depth = 3) {
        switch (below(depth > 0 ? 8 : 6)) {
        case 0: return nullptr;
        case 1: return maybe();
        case 2: return static_cast<std::int64_t>(random_()) / 2;
        case 3: return (random_.unit() - 0.5) * 1e6 + 0.25;
        case 4:
        case 5: return json::value(text());
        case 6: {
            json::array array;
            for (std::size_t n = below(4); n > 0; --n) array.push_back(value(depth - 1));
            return array;
        }
        default: return object(depth - 1);
        }
    }
    json::object object(int depth = 3) {
        json::object out;
        for (std::size_t n = below(4); n > 0; --n) out.insert_or_assign("k" + text(), value(depth));
        return out;
    }

    Flow flow() {
        return {
            one_of(all_input_states), one_of(all_output_states), perhaps([&] { return object(); })};
    }
    std::vector<std::string> texts() {
        std::vector<std::string> out;
        for (std::size_t n = below(3); n > 0; --n) out.push_back(text());
        return out;
    }
    Wiring wiring() { return {texts(), texts(), texts()}; }
    WorkIo work_io() {
        WorkIo io{wiring(), {}};
        for (std::size_t n = below(3); n > 0; --n) {
            io.queue_stats[text()] = {count(), count(), perhaps([&] { return count(); })};
        }
        return io;
    }
    IoState io_state(bool manager) {
        IoState state{.filesystem = perhaps([&] { return flow(); })};
        if (!manager) state.work = perhaps([&] { return flow(); });
        return state;
    }
    Headers headers() {
        Headers out;
        for (std::size_t n = below(5); n > 0; --n) {
            out.set(
                "h" + text(),
                maybe() ? HeaderValue::text(text()) : HeaderValue::json(std::to_string(count())));
        }
        if (maybe()) out.set("nested", HeaderValue::json(to_text(object())));
        return out;
    }
    Stamp stamp() { return {id(), id()}; }

private:
    Random& random_;
};

Outcome random_outcome(Dice& dice) {
    const Command command = all_commands[dice.below(all_commands.size() - 1)];
    auto context = dice.perhaps([&] { return dice.object(); });
    switch (dice.below(3)) {
    case 0: return Outcome::failed(command, std::move(context));
    case 1: return Outcome::not_ready(command, dice.object());
    default:
        if (command == Command::config_update) return Outcome::applied(dice.maybe(), context);
        return Outcome::succeeded(command, std::move(context));
    }
}

Signal random_signal(Dice& dice) {
    const Command command = all_commands[1 + dice.below(all_commands.size() - 1)];
    return {command, has_arguments(command) ? dice.object() : json::object{}};
}

StatusFull random_full(Dice& dice, bool manager, bool controls) {
    StatusFull status{
        .enabled = dice.maybe(),
        .started_at = dice.time(),
        .tps = dice.perhaps([&] { return dice.count(); }),
        .config = dice.object(),
        .io = {.control = dice.perhaps([&] { return dice.wiring(); })},
        .io_state = dice.io_state(manager),
        .context = dice.perhaps([&] { return dice.object(); })};
    if (!manager) status.io.work = dice.perhaps([&] { return dice.work_io(); });
    if (controls && status.context) (*status.context)["workers"] = json::array{dice.value()};
    return status;
}

Alert random_alert(Dice& dice) {
    const auto text = [&] { return dice.text(); };
    return {
        .level = dice.one_of(all_alert_levels),
        .code = dice.some_text(),
        .message = dice.some_text(),
        .error_type = dice.perhaps(text),
        .error_detail = dice.perhaps(text),
        .log_ref = dice.perhaps(text),
        .context = dice.perhaps([&] { return dice.object(); })};
}

} // namespace

std::vector<Envelope> sample_envelopes() {
    std::vector<Envelope> out;
    add_commands(out);
    add_reports(out);
    return out;
}

Envelope random_envelope(Random& random) {
    Dice dice{random};
    const bool controls = dice.maybe();
    const bool manager = controls || dice.maybe();
    const std::string role = controls  ? "swarm-controller"
                             : manager ? "orchestrator"
                                       : "b" + dice.id();
    const Scope subject = scope(dice.maybe() ? "ALL" : "s" + dice.id(), role, "i" + dice.id());
    const Sender sender{
        *Origin::parse("o" + dice.id() + (dice.maybe() ? ":i" + dice.id() : "")), dice.time()};
    const Attempt tried{dice.some_text(), dice.perhaps([&] { return dice.some_text(); })};
    switch (dice.below(5)) {
    case 0: {
        const Signal signal = random_signal(dice);
        const Scope target = is_lifecycle(signal.command) ? controller
                             : dice.maybe()               ? Scope{}
                                                          : subject;
        return Envelope::signal(sender, target, tried, signal);
    }
    case 1: return Envelope::outcome(sender, subject, tried, random_outcome(dice));
    case 2: return Envelope::status(sender, subject, random_full(dice, manager, controls));
    case 3:
        return Envelope::status(
            sender, subject,
            StatusDelta{
                .enabled = dice.maybe(),
                .tps = dice.perhaps([&] { return dice.count(); }),
                .io_state = dice.io_state(manager),
                .context = dice.perhaps([&] { return dice.object(); })});
    default: return Envelope::alert(sender, dice.maybe() ? Scope{} : subject, random_alert(dice));
    }
}

WorkItem random_work_item(Random& random) {
    Dice dice{random};
    WorkItem item{
        .headers = dice.headers(),
        .message_id = dice.perhaps([&] { return dice.some_text(); }),
        .content_type = dice.perhaps([&] { return dice.some_text(); }),
        .trace_id = dice.some_text(),
        .swarm_id = dice.perhaps([&] { return dice.id(); })};
    for (std::size_t n = 1 + dice.below(5); n > 0; --n) {
        const bool binary = dice.maybe();
        item.steps.push_back(
            {.payload = binary ? "AAECAw==" : dice.text(),
             .encoding = binary ? Encoding::base64 : Encoding::utf8,
             .by = dice.stamp(),
             .headers = dice.headers()});
    }
    for (std::size_t n = dice.below(4); n > 0; --n) {
        item.hops.push_back({dice.stamp(), dice.time(), dice.time()});
    }
    return item;
}

} // namespace hive::tests

#include "kernel/id.hpp"
#include "kernel/timestamp.hpp"
#include "wire/base64.hpp"
#include "wire/compact.hpp"
#include "wire/padded.hpp"
#include "wire/shown.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>

namespace hive::wire {
namespace {

namespace dom = simdjson::dom;

auto bad(std::string_view path, std::string_view why) {
    return fail(Errc::invalid, fmt::format("{}: {}", path, why));
}

// Puts `outer` before the path of an error from inside it.
auto inside(std::string_view outer, Error error) {
    error.detail.insert(0, outer);
    return fail(std::move(error));
}

// The fields of a closed object: each at most once, none unknown, the required ones present.
template <std::size_t N>
class Fields {
public:
    Fields(const std::array<std::string_view, N>& names, std::size_t required)
        : names_{names}, required_{required} {}

    // The place of `key` in the list of names.
    Result<std::size_t> take(std::string_view key) {
        for (std::size_t i = 0; i < N; ++i) {
            if (names_[i] != key) continue;
            if ((seen_ & (1U << i)) != 0) return bad(key, "appears twice");
            seen_ |= 1U << i;
            return i;
        }
        return fail(Errc::invalid, fmt::format("{} is not a field of the work item", quoted(key)));
    }
    Status complete() const {
        for (std::size_t i = 0; i < required_; ++i) {
            if ((seen_ & (1U << i)) == 0) return bad(names_[i], "is missing");
        }
        return {};
    }

private:
    const std::array<std::string_view, N>& names_; // the first `required_` ones must be there
    std::size_t required_;
    unsigned seen_ = 0;
};

Status read_text(const dom::element& value, std::string_view path, std::string& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return bad(path, "must be a string");
    out.assign(text);
    return {};
}

Status read_id(const dom::element& value, std::string_view path, std::string& out) {
    if (auto ok = read_text(value, path, out); !ok) return ok;
    return check_id(path, out);
}

Status
read_optional(const dom::element& value, std::string_view path, std::optional<std::string>& out) {
    if (value.is_null()) return {};
    if (auto ok = read_text(value, path, out.emplace()); !ok) return ok;
    return out->empty() ? bad(path, "must not be empty; leave it out or send null") : Status{};
}

Status read_time(const dom::element& value, std::string_view path, Timestamp& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return bad(path, "must be a string");
    const auto time = parse_timestamp(text);
    if (!time) return bad(path, time.error().detail);
    out = *time;
    return {};
}

// Names that have a place of their own or are of the past; a copy in the headers would disagree
// with it sooner or later.
Status check_header_name(std::string_view name) {
    if (name == "messageId" || name == "contentType") {
        return bad(name, "has its own field and must not be repeated in headers");
    }
    if (name == "x-ph-service") return bad(name, "is no longer used; steps name their bee");
    return {};
}

Status read_header(std::string_view name, const dom::element& value, Headers& headers) {
    if (auto ok = check_header_name(name); !ok) return ok;
    if (headers.find(name)) return bad(quoted(name), "appears twice");
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
        headers.set(name, HeaderValue::text(std::string{text}));
    } else {
        std::string compact;
        append_compact(compact, value);
        headers.set(name, HeaderValue::json(std::move(compact)));
    }
    return {};
}

class Decoder {
public:
    explicit Decoder(const WorkItemLimits& limits) : limits_{limits} {}

    Status item(const dom::element& root, WorkItem& out) const {
        static constexpr std::array<std::string_view, 6> names{
            "version", "headers", "steps", "observability", "messageId", "contentType"};
        dom::object object;
        if (root.get(object) != simdjson::SUCCESS) {
            return fail(Errc::invalid, "a work item must be a JSON object");
        }
        Fields fields{names, 4};
        for (const auto [key, value] : object) {
            const auto field = fields.take(key);
            if (!field) return fail(field.error());
            if (auto ok = item_field(*field, value, out); !ok) return ok;
        }
        return fields.complete();
    }

private:
    Status item_field(std::size_t field, const dom::element& value, WorkItem& out) const {
        switch (field) {
        case 0: return version(value);
        case 1: return item_headers(value, out.headers);
        case 2: return steps(value, out.steps);
        case 3: return observability(value, out);
        case 4: return read_optional(value, "messageId", out.message_id);
        default: return read_optional(value, "contentType", out.content_type);
        }
    }

    static Status version(const dom::element& value) {
        std::string_view text;
        if (value.get(text) != simdjson::SUCCESS || text != "1") {
            return bad("version", R"(must be "1")");
        }
        return {};
    }

    Status check_header_count(std::size_t count) const {
        if (count <= limits_.headers) return {};
        return fail(
            Errc::limit, fmt::format("headers: more than the limit of {}", limits_.headers));
    }

    Status item_headers(const dom::element& value, Headers& out) const {
        dom::object object;
        if (value.get(object) != simdjson::SUCCESS) return bad("headers", "must be an object");
        for (const auto [key, header] : object) {
            if (auto ok = read_header(key, header, out); !ok) {
                return inside("headers.", std::move(ok).error());
            }
            if (auto ok = check_header_count(out.size()); !ok) return ok;
        }
        return {};
    }

    Status steps(const dom::element& value, std::vector<Step>& out) const {
        dom::array array;
        if (value.get(array) != simdjson::SUCCESS) return bad("steps", "must be an array");
        const std::size_t count = array.size();
        if (count == 0) return bad("steps", "must hold at least one step");
        if (count > limits_.steps) {
            return fail(
                Errc::limit, fmt::format("steps: {}, over the limit of {}", count, limits_.steps));
        }
        out.reserve(count + 1); // the bee that reads an item adds a step to it
        for (const dom::element element : array) {
            if (auto ok = step(element, out.size(), out.emplace_back()); !ok) {
                return inside(fmt::format("steps[{}]", out.size() - 1), std::move(ok).error());
            }
        }
        return {};
    }

    Status step(const dom::element& value, std::size_t index, Step& out) const {
        static constexpr std::array<std::string_view, 4> names{
            "index", "payload", "payloadEncoding", "headers"};
        dom::object object;
        if (value.get(object) != simdjson::SUCCESS) return bad("", "must be an object");
        Fields fields{names, names.size()};
        for (const auto [key, member] : object) {
            const auto field = fields.take(key);
            if (!field) return inside(".", field.error());
            if (auto ok = step_field(*field, member, index, out); !ok) {
                return inside(".", std::move(ok).error());
            }
        }
        if (auto ok = fields.complete(); !ok) return inside(".", std::move(ok).error());
        if (out.encoding == Encoding::base64 && !is_base64(out.payload)) {
            return bad(".payload", "is not base64 with padding (RFC 4648)");
        }
        return {};
    }

    Status
    step_field(std::size_t field, const dom::element& value, std::size_t index, Step& out) const {
        switch (field) {
        case 0: return step_index(value, index);
        case 1: return read_text(value, "payload", out.payload);
        case 2: return encoding(value, out.encoding);
        default: return step_headers(value, out);
        }
    }

    static Status step_index(const dom::element& value, std::size_t index) {
        std::uint64_t number = 0;
        if (value.get(number) == simdjson::SUCCESS && number == index) return {};
        return bad("index", fmt::format("must be {}: steps are numbered from 0", index));
    }

    static Status encoding(const dom::element& value, Encoding& out) {
        std::string_view text;
        if (value.get(text) != simdjson::SUCCESS) return bad("payloadEncoding", "must be a string");
        if (text == "utf-8") {
            out = Encoding::utf8;
        } else if (text == "base64") {
            out = Encoding::base64;
        } else {
            return bad(
                "payloadEncoding", fmt::format("{} is not one of utf-8, base64", quoted(text)));
        }
        return {};
    }

    Status step_headers(const dom::element& value, Step& out) const {
        dom::object object;
        if (value.get(object) != simdjson::SUCCESS) return bad("headers", "must be an object");
        for (const auto [key, header] : object) {
            Status ok;
            if (key == "ph.step.service") {
                ok = read_id(header, key, out.by.service);
            } else if (key == "ph.step.instance") {
                ok = read_id(header, key, out.by.instance);
            } else {
                ok = read_header(key, header, out.headers);
            }
            if (!ok) return inside("headers.", std::move(ok).error());
            if (auto fits = check_header_count(out.headers.size()); !fits) return fits;
        }
        if (out.by.service.empty()) return bad("headers", "ph.step.service is missing");
        if (out.by.instance.empty()) return bad("headers", "ph.step.instance is missing");
        return {};
    }

    Status observability(const dom::element& value, WorkItem& out) const {
        static constexpr std::array<std::string_view, 3> names{"traceId", "hops", "swarmId"};
        dom::object object;
        if (value.get(object) != simdjson::SUCCESS) {
            return bad("observability", "must be an object");
        }
        Fields fields{names, 2};
        for (const auto [key, member] : object) {
            const auto field = fields.take(key);
            if (!field) return inside("observability.", field.error());
            if (auto ok = observed_field(*field, member, out); !ok) {
                return inside("observability.", std::move(ok).error());
            }
        }
        if (auto ok = fields.complete(); !ok) {
            return inside("observability.", std::move(ok).error());
        }
        return {};
    }

    Status observed_field(std::size_t field, const dom::element& value, WorkItem& out) const {
        switch (field) {
        case 0:
            if (auto ok = read_text(value, "traceId", out.trace_id); !ok) return ok;
            return out.trace_id.empty() ? bad("traceId", "must not be empty") : Status{};
        case 1: return hops(value, out.hops);
        default:
            if (auto ok = read_optional(value, "swarmId", out.swarm_id); !ok) return ok;
            return out.swarm_id ? check_id("swarmId", *out.swarm_id) : Status{};
        }
    }

    Status hops(const dom::element& value, std::vector<Hop>& out) const {
        dom::array array;
        if (value.get(array) != simdjson::SUCCESS) return bad("hops", "must be an array");
        const std::size_t count = array.size();
        if (count > limits_.hops) {
            return fail(
                Errc::limit, fmt::format("hops: {}, over the limit of {}", count, limits_.hops));
        }
        out.reserve(count + 1); // as with steps
        for (const dom::element element : array) {
            if (auto ok = hop(element, out.emplace_back()); !ok) {
                return inside(fmt::format("hops[{}]", out.size() - 1), std::move(ok).error());
            }
        }
        return {};
    }

    static Status hop(const dom::element& value, Hop& out) {
        static constexpr std::array<std::string_view, 4> names{
            "service", "instance", "receivedAt", "processedAt"};
        dom::object object;
        if (value.get(object) != simdjson::SUCCESS) return bad("", "must be an object");
        Fields fields{names, names.size()};
        for (const auto [key, member] : object) {
            const auto field = fields.take(key);
            if (!field) return inside(".", field.error());
            if (auto ok = hop_field(*field, member, out); !ok) {
                return inside(".", std::move(ok).error());
            }
        }
        if (auto ok = fields.complete(); !ok) return inside(".", std::move(ok).error());
        return {};
    }

    static Status hop_field(std::size_t field, const dom::element& value, Hop& out) {
        switch (field) {
        case 0: return read_id(value, "service", out.by.service);
        case 1: return read_id(value, "instance", out.by.instance);
        case 2: return read_time(value, "receivedAt", out.received_at);
        default: return read_time(value, "processedAt", out.processed_at);
        }
    }

    const WorkItemLimits& limits_;
};

} // namespace

Result<WorkItem> decode_work_item(std::string_view text, const WorkItemLimits& limits) {
    if (text.size() > limits.bytes) {
        return fail(
            Errc::limit,
            fmt::format(
                "work item of {} bytes is over the limit of {}", text.size(), limits.bytes));
    }
    PaddedParser parser{text};
    const auto root = parser.root();
    if (!root) return fail(root.error());
    WorkItem item;
    if (auto ok = Decoder{limits}.item(*root, item); !ok) return fail(std::move(ok).error());
    return item;
}

} // namespace hive::wire

#include "kernel/id.hpp"
#include "wire/base64.hpp"
#include "wire/closed_object.hpp"
#include "wire/day_times.hpp"
#include "wire/json_cursor.hpp"
#include "wire/known_bees.hpp"
#include "wire/shown.hpp"
#include "wire/utf8.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace hive::wire {
namespace {

constexpr std::size_t id_max = 63;

// What check_id() accepts, without the checks that a good message needs.
bool is_id(std::string_view text) {
    static constexpr auto allowed = [] {
        std::array<bool, 256> table{};
        for (const char c : std::string_view{"-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "abcdefghijklmnopqrstuvwxyz"}) {
            table[static_cast<unsigned char>(c)] = true;
        }
        return table;
    }();
    if (text.empty() || text.size() > id_max) return false;
    if (text.front() == '-' || text.front() == '_') return false;
    bool good = true;
    for (const char c : text) good &= allowed[static_cast<unsigned char>(c)];
    return good && text != all_word;
}

// An id, in here and not on the heap.
class ShortText {
public:
    void assign(std::string_view id) { size_ = id.copy(text_.data(), text_.size()); }
    void clear() noexcept { size_ = 0; }
    bool empty() const noexcept { return size_ == 0; }
    operator std::string_view() const noexcept { return {text_.data(), size_}; }

private:
    std::array<char, id_max> text_; // NOLINT: written before it is read
    std::size_t size_ = 0;
};

// Reads an item in one pass. Each reader returns false at the first violation; the path to it is
// put together on the way out, so that good items pay nothing for it.
class ItemReader {
public:
    ItemReader(std::string_view text, const WorkItemLimits& limits) : in_{text}, limits_{limits} {}

    bool item(WorkItem& out) {
        static constexpr std::array<Field, 6> names{
            {{R"(,"version":)"},
             {R"(,"headers":)"},
             {R"(,"messageId":)", false},
             {R"(,"contentType":)", false},
             {R"(,"steps":)"},
             {R"(,"observability":)"}}};
        Fields fields{names};
        const bool ok = object(fields, [&](std::size_t field) {
            switch (field) {
            case 0: return version();
            case 1: return item_headers(out.headers);
            case 2: return optional_text(out.message_id);
            case 3: return optional_text(out.content_type);
            case 4: return steps(out.steps);
            default: return observability(out);
            }
        });
        return ok && (in_.at_end() || in_.fail("text after the end of the document"));
    }

    Error error() const {
        if (!in_.why().empty()) {
            return {
                Errc::invalid,
                fmt::format("not valid JSON at byte {}: {}", in_.position(), in_.why())};
        }
        if (path_.empty()) return {code_, "work item: " + why_};
        return {code_, fmt::format("{}: {}", std::string_view{path_}.substr(1), why_)};
    }

private:
    bool refuse(std::string why, Errc code = Errc::invalid) {
        code_ = code;
        why_ = std::move(why);
        return false;
    }
    bool at_field(std::string_view name) {
        path_.insert(0, fmt::format(".{}", name));
        return false;
    }
    bool at_place(std::size_t index) {
        path_.insert(0, fmt::format("[{}]", index));
        return false;
    }

    // Calls `read(place)` for each field of a closed object.
    template <std::size_t N, class Read>
    bool object(Fields<N>& fields, Read read) {
        return in_.take('{') ? members(fields, true, read) : refuse("must be an object");
    }
    // From its first field on, or from a later one.
    template <std::size_t N, class Read>
    bool members(Fields<N>& fields, bool first, Read read) {
        for (;; first = false) {
            std::size_t place = fields.guess(in_, first);
            if (place == fields.none) {
                if (!in_.more(first, '}')) break;
                place = fields.find(in_, why_);
                if (place == fields.none) return false;
            }
            if (!read(place)) return at_field(fields.name(place));
        }
        if (!in_.why().empty()) return false;
        const std::string_view missing = fields.missing();
        return missing.empty() || refuse(fmt::format("{} is missing", missing));
    }

    bool text(std::string_view& out) { return in_.take_string(out) || refuse("must be a string"); }
    bool text(std::string& out) { return in_.take_string(out) || refuse("must be a string"); }
    template <class Text>
    bool id(Text& out) {
        std::string_view found;
        if (!text(found)) return false;
        if (!is_id(found)) return refuse(check_id("id", found).error().detail);
        out.assign(found);
        return true;
    }
    bool optional_text(std::optional<std::string>& out) {
        if (in_.take_null()) return true;
        if (!text(out.emplace())) return false;
        return !out->empty() || refuse("must not be empty; leave it out or send null");
    }
    bool time(Timestamp& out) {
        std::string_view found;
        if (!text(found)) return false;
        auto time = times_.parse(found);
        if (!time) return refuse(std::move(time).error().detail);
        out = *time;
        return true;
    }

    bool version() {
        std::string_view found;
        return (in_.take_string(found) && found == "1") || refuse(R"(must be "1")");
    }

    bool item_headers(Headers& out) {
        return in_.take('{') ? headers(out, true, nullptr) : refuse("must be an object");
    }
    bool step_headers(std::size_t index, Step& out) {
        KnownBee& known = known_in_steps(index);
        if (known.is_next(in_)) {
            out.by = known.stamp();
            return headers(out.headers, false, &out.by);
        }
        if (!in_.take('{')) return refuse("must be an object");
        if (!headers(out.headers, true, &out.by)) return false;
        known.learn(out.by, R"({"ph.step.service":")", R"(","ph.step.instance":")");
        return true;
    }

    // With `by`, the stamp of a step is taken out of its headers. Not before the first: it was.
    bool headers(Headers& out, bool first, Stamp* by) {
        std::string_view key;
        const bool stamped = by && !first;
        service_.clear();
        instance_.clear();
        if (stamped) {
            service_.assign(by->service());
            instance_.assign(by->instance());
        }
        while (in_.more(first, '}')) {
            if (!in_.take_string(key) || !in_.take(':')) return in_.fail("expected a key and ':'");
            if (by && key == "ph.step.service") {
                if (!stamp(service_)) return at_field("ph.step.service");
            } else if (by && key == "ph.step.instance") {
                if (!stamp(instance_)) return at_field("ph.step.instance");
            } else if (!header(std::string{key}, out)) {
                return false;
            }
        }
        if (!in_.why().empty()) return false;
        if (!by || stamped) return true;
        if (service_.empty()) return refuse("ph.step.service is missing");
        if (instance_.empty()) return refuse("ph.step.instance is missing");
        *by = stamp_of(service_, instance_);
        return true;
    }

    bool stamp(ShortText& out) { return out.empty() ? id(out) : refuse("appears twice"); }

    bool header(const std::string& name, Headers& out) {
        if (out.size() == limits_.headers) {
            return refuse(fmt::format("more than the limit of {}", limits_.headers), Errc::limit);
        }
        // Names that have a place of their own or are of the past: a copy in the headers would
        // sooner or later say something else.
        if (name == "messageId" || name == "contentType") {
            return refuse(name + " has a field of its own and must not be repeated here");
        }
        if (name == "x-ph-service") return refuse(name + " is gone: each step names its bee");
        if (out.find(name)) return refuse(in_quotes(name) + " appears twice");
        std::string_view found;
        if (in_.take_string(found)) {
            out.append(name, HeaderValue::text(std::string{found}));
            return true;
        }
        if (!in_.why().empty()) return false;
        std::string compact;
        if (!in_.take_value(compact)) return false;
        out.append(name, HeaderValue::json(std::move(compact)));
        return true;
    }

    bool steps(std::vector<Step>& out) {
        if (!in_.take('[')) return refuse("must be an array");
        out.reserve(4); // most items: three bees, and the one that reads it adds a step
        for (bool first = true; in_.more(first, ']');) {
            const std::size_t index = out.size();
            if (index == limits_.steps) {
                return refuse(fmt::format("more than the limit of {}", index), Errc::limit);
            }
            if (!step(index, out.emplace_back())) return at_place(index);
        }
        if (!in_.why().empty()) return false;
        return !out.empty() || refuse("must hold at least one step");
    }

    bool step(std::size_t index, Step& out) {
        static constexpr std::array<Field, 4> names{
            {{R"(,"index":)"}, {R"(,"payload":)"}, {R"(,"payloadEncoding":)"}, {R"(,"headers":)"}}};
        Fields fields{names};
        const bool ok = object(fields, [&](std::size_t field) {
            switch (field) {
            case 0: return step_index(index);
            case 1: return text(out.payload);
            case 2: return encoding(out.encoding);
            default: return step_headers(index, out);
            }
        });
        if (!ok) return false;
        if (out.encoding == Encoding::base64 && !is_base64(out.payload)) {
            refuse("not base64 with padding (RFC 4648)");
            return at_field("payload");
        }
        return true;
    }

    bool step_index(std::size_t index) {
        std::size_t found = 0;
        return (in_.take_index(found) && found == index) ||
               refuse(fmt::format("must be {}: steps are numbered from 0", index));
    }

    bool encoding(Encoding& out) {
        if (in_.take_exactly(R"("utf-8")")) return true; // it is that already
        std::string_view found;
        if (!text(found)) return false;
        if (found != "utf-8" && found != "base64") {
            return refuse(in_quotes(found) + " is not one of utf-8, base64");
        }
        out = found == "utf-8" ? Encoding::utf8 : Encoding::base64;
        return true;
    }

    bool observability(WorkItem& out) {
        static constexpr std::array<Field, 3> names{
            {{R"(,"traceId":)"}, {R"(,"hops":)"}, {R"(,"swarmId":)", false}}};
        Fields fields{names};
        return object(fields, [&](std::size_t field) {
            switch (field) {
            case 0:
                return text(out.trace_id) && (!out.trace_id.empty() || refuse("must not be empty"));
            case 1: return hops(out.hops);
            default: return in_.take_null() || id(out.swarm_id.emplace());
            }
        });
    }

    bool hops(std::vector<Hop>& out) {
        if (!in_.take('[')) return refuse("must be an array");
        for (bool first = true; in_.more(first, ']');) {
            const std::size_t index = out.size();
            if (index == limits_.hops) {
                return refuse(fmt::format("more than the limit of {}", index), Errc::limit);
            }
            if (index == 0) out.reserve(4); // as with steps
            if (!hop(index, out.emplace_back())) return at_place(index);
        }
        return in_.why().empty();
    }

    bool hop(std::size_t index, Hop& out) {
        static constexpr std::array<Field, 4> names{
            {{R"(,"service":)"},
             {R"(,"instance":)"},
             {R"(,"receivedAt":)"},
             {R"(,"processedAt":)"}}};
        Fields fields{names};
        KnownBee& known = known_in_hops(index);
        const bool recognised = known.is_next(in_);
        if (recognised) {
            fields.pass(2);
            out.by = known.stamp();
        }
        const auto read = [&](std::size_t field) {
            switch (field) {
            case 0: return id(service_);
            case 1: return id(instance_);
            case 2: return time(out.received_at);
            default: return time(out.processed_at);
            }
        };
        if (recognised) return members(fields, false, read);
        if (!object(fields, read)) return false;
        out.by = stamp_of(service_, instance_);
        known.learn(out.by, R"({"service":")", R"(","instance":")");
        return true;
    }

    JsonCursor in_;
    const WorkItemLimits& limits_;
    DayTimes times_;
    ShortText service_; // of the stamp that is being read
    ShortText instance_;
    std::string path_;
    std::string why_;
    Errc code_ = Errc::invalid;
};

} // namespace

Result<WorkItem> decode_work_item(std::string_view text, const WorkItemLimits& limits) {
    if (text.size() > limits.bytes) {
        return fail(
            Errc::limit,
            fmt::format("work item: {} bytes, over the limit of {}", text.size(), limits.bytes));
    }
    if (!is_utf8(text)) {
        return fail(Errc::invalid, "work item: not valid UTF-8");
    }
    Result<WorkItem> item{tl::in_place};
    ItemReader reader{text, limits};
    if (!reader.item(*item)) item = fail(reader.error());
    return item;
}

} // namespace hive::wire

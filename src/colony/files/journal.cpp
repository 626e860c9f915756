#include "colony/files/journal.hpp"

#include "colony/files/text.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace hive::colony::files {
namespace {

constexpr std::size_t text_max = 4000;

struct Synonym {
    std::string_view written;
    std::string_view meant;
};
constexpr std::array synonyms{
    Synonym{"task_start", "task_started"},     Synonym{"task_received", "task_started"},
    Synonym{"task_accepted", "task_started"},  Synonym{"task_complete", "task_completed"},
    Synonym{"task_done", "task_completed"},    Synonym{"work_complete", "task_completed"},
    Synonym{"blocker_encountered", "blocked"}, Synonym{"session_complete", "session_end"},
    Synonym{"checkin", "heartbeat"},           Synonym{"orders_check", "heartbeat"},
    Synonym{"standby", "heartbeat"},
};

std::string text_of(const json::value& value) {
    if (value.is_string()) return std::string{clipped(value.as_string(), text_max)};
    if (value.is_null()) return {};
    return std::string{clipped(to_text(value), text_max)};
}

std::string first_of(const json::object& in, std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
        const auto* value = in.if_contains(name);
        if (value == nullptr) continue;
        if (auto text = text_of(*value); !text.empty()) return text;
    }
    return {};
}

// Two ways in which lines of JSON are broken by hand: backslashes of Windows paths, and `\n`
// written between members.
std::string with_backslashes_escaped(std::string_view line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char next = i + 1 < line.size() ? line[i + 1] : ' ';
        const bool legal = std::string_view{"\"\\/bfnrtu"}.find(next) != std::string_view::npos;
        out += line[i];
        if (line[i] != '\\') continue;
        if (legal) {
            out += line[++i];
        } else {
            out += '\\';
        }
    }
    return out;
}

std::string without_literal_breaks(std::string_view line) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!quoted && line.substr(i).starts_with("\\n")) {
            ++i;
            continue;
        }
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        out += line[i];
    }
    return out;
}

// A quote inside a text is one that neither begins nor ends it: no separator is beside it.
std::string with_inner_quotes_escaped(std::string_view line) {
    std::string out;
    const auto separates = [](char c) {
        return c == ':' || c == ',' || c == '{' || c == '}' || c == '[' || c == ']';
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && i > 0 && line[i - 1] != '\\') {
            const std::string_view before = trimmed(line.substr(0, i));
            const std::string_view after = trimmed(line.substr(i + 1));
            const bool edge = before.empty() || after.empty() || separates(before.back()) ||
                              separates(after.front());
            if (!edge) out += '\\';
        }
        out += line[i];
    }
    return out;
}

std::optional<json::object> object_in(std::string_view line) {
    const auto parsed = parse_json(line);
    if (!parsed || !parsed->is_object()) return std::nullopt;
    return parsed->as_object();
}

std::optional<json::object> mended(std::string_view line) {
    if (auto found = object_in(with_backslashes_escaped(line))) return found;
    if (auto found = object_in(without_literal_breaks(line))) return found;
    if (auto found = object_in(with_inner_quotes_escaped(line))) return found;
    const std::string closed = std::string{trimmed(line)} + "\"}";
    if (auto found = object_in(closed)) return found;
    return object_in(std::string{trimmed(line)} + "}");
}

} // namespace

std::string folded_event(std::string_view event) {
    std::string low = lowered(event);
    std::ranges::replace(low, '-', '_');
    std::ranges::replace(low, ' ', '_');
    const auto* found = std::ranges::find(synonyms, low, &Synonym::written);
    return found != synonyms.end() ? std::string{found->meant} : low;
}

LogLine read_log_line(std::string_view line, const Zone& zone) {
    LogLine out;
    auto object = object_in(line);
    if (!object) {
        object = mended(line);
        out.form = object ? LogLine::Form::repaired : LogLine::Form::opaque;
    }
    if (!object) {
        out.text = clipped(line, text_max);
        if (const auto when = when_in(line, zone)) out.time = when->time;
        return out;
    }
    if (const auto when = when_in(first_of(*object, {"ts", "timestamp", "time", "date"}), zone))
        out.time = when->time;
    out.actor = first_of(*object, {"bee", "bot_id", "agent_id", "agent", "bot", "from"});
    out.event = folded_event(first_of(*object, {"event", "event_type", "action", "type"}));
    out.task = first_of(*object, {"task", "task_id"});
    out.text = first_of(
        *object, {"msg", "message", "details", "operation", "data", "context", "meta", "metadata"});
    if (const auto* sequence = object->if_contains("hive_seq")) {
        if (sequence->is_int64() && sequence->as_int64() > 0)
            out.sequence = static_cast<std::uint64_t>(sequence->as_int64());
    }
    return out;
}

std::vector<LogLine> read_log(std::string_view text, const Zone& zone) {
    std::vector<LogLine> lines;
    for (const auto line : lines_of(text)) {
        if (trimmed(line).empty()) continue;
        if (lines.size() == log_lines_max) break;
        lines.push_back(read_log_line(line, zone));
    }
    return lines;
}

} // namespace hive::colony::files

#include "kernel/log_format.hpp"

#include "kernel/append_format.hpp"
#include "kernel/duration.hpp"
#include "kernel/json.hpp"
#include "kernel/overloaded.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hive {
namespace {

constexpr std::array<Named<LogFormat>, 2> format_names{{
    {"human", LogFormat::human},
    {"json", LogFormat::json},
}};

// Grey, grey, green, yellow, red: by LogLevel.
constexpr std::array<std::string_view, 6> level_colors{"\x1b[90m", "\x1b[90m", "\x1b[32m",
                                                       "\x1b[33m", "\x1b[31m", "\x1b[31m"};
constexpr std::array<std::string_view, 6> level_labels{"TRACE", "DEBUG", "INFO ",
                                                       "WARN ", "ERROR", "OFF  "};
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view plain = "\x1b[0m";

void append_time_of_day(std::string& out, Timestamp at) {
    const auto since_midnight = at - std::chrono::floor<std::chrono::days>(at);
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(since_midnight).count();
    append_format(
        out, "{:02}:{:02}:{:02}.{:03}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60,
        ms % 1000);
}

// A value with blanks, quotes or '=' is quoted, so that fields can be told apart again.
void append_human_text(std::string& out, std::string_view text) {
    const bool bare = !text.empty() && text.find_first_of(" \"=") == text.npos;
    if (bare) {
        append_printable(out, text, log_value_max);
        return;
    }
    std::string safe = printable(text, log_value_max);
    out += '"';
    for (const char c : safe) {
        if (c == '"') out += '\\';
        out += c;
    }
    out += '"';
}

void append_human_value(std::string& out, const LogValue& value) {
    std::visit(
        overloaded{
            [&](std::string_view text) { append_human_text(out, text); },
            [&](Duration duration) { out += format_duration(duration); },
            [&](auto number) { append_format(out, "{}", number); },
        },
        value.variant());
}

// Invalid UTF-8 would make the line invalid JSON, so such a text is shown with escapes instead.
void append_json_text(std::string& out, std::string_view text) {
    const bool as_is = text.size() <= log_value_max && !find_invalid_utf8(text);
    if (as_is) {
        append_json_string(out, text);
    } else {
        append_json_string(out, printable(text, log_value_max));
    }
}

void append_json_value(std::string& out, const LogValue& value) {
    std::visit(
        overloaded{
            [&](std::string_view text) { append_json_text(out, text); },
            [&](Duration duration) { append_json_string(out, format_duration(duration)); },
            [&](double number) { append_json(out, json::value(number)); },
            [&](auto number) { append_format(out, "{}", number); },
        },
        value.variant());
}

std::span<const LogField> bounded(std::span<const LogField> fields) {
    return fields.first(std::min(fields.size(), log_fields_max));
}

} // namespace

std::span<const Named<LogFormat>> names_of(LogFormat) {
    return format_names;
}

void append_human(std::string& out, const LogRecord& record, bool colors) {
    const auto level = static_cast<std::size_t>(record.level);
    if (colors) out += dim;
    append_time_of_day(out, record.at);
    if (colors) out += plain;
    out += ' ';
    if (colors) out += level_colors[level];
    out += level_labels[level];
    if (colors) out += plain;
    append_format(out, " {:<8} ", printable(record.area));
    append_printable(out, record.message, log_value_max);
    for (const LogField& field : bounded(record.fields)) {
        out += ' ';
        if (colors) out += dim;
        append_printable(out, field.name, log_value_max);
        out += '=';
        if (colors) out += plain;
        append_human_value(out, field.value);
    }
    out += '\n';
}

void append_json_line(std::string& out, const LogRecord& record) {
    out += R"({"time":")";
    append_timestamp(out, record.at);
    append_format(out, R"(","level":"{}","area":)", name_of(record.level));
    append_json_text(out, record.area);
    out += R"(,"message":)";
    append_json_text(out, record.message);
    if (!record.fields.empty()) {
        // In an object of their own: a field called "level" must not replace ours.
        out += R"(,"fields":{)";
        bool first = true;
        for (const LogField& field : bounded(record.fields)) {
            if (!std::exchange(first, false)) out += ',';
            append_json_text(out, field.name);
            out += ':';
            append_json_value(out, field.value);
        }
        out += '}';
    }
    out += "}\n";
}

} // namespace hive

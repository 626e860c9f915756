#include "api/parameter.hpp"

#include "api/ws/utf8.hpp"
#include "kernel/id.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::api {
namespace {

// A path parameter of kind text: long enough for names, short enough for a log line.
constexpr std::size_t path_text_max = 256;

std::optional<std::int64_t> integer_of(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<std::string> decode(std::string_view text, bool plus_is_space) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return fail(Errc::invalid, "a % must be followed by two hexadecimal digits");
            }
            c = static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus_is_space) {
            c = ' ';
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            return fail(Errc::invalid, "control characters are not allowed");
        }
        out += c;
    }
    if (!ws::is_utf8(out)) return fail(Errc::invalid, "not valid UTF-8");
    return out;
}

} // namespace

Result<std::string> decode_path_segment(std::string_view text) {
    return decode(text, false);
}

Result<std::string> decode_query_text(std::string_view text) {
    return decode(text, true);
}

Status check_path_parameter(ParameterKind kind, std::string_view name, std::string_view text) {
    switch (kind) {
    case ParameterKind::id: return check_id(name, text);
    case ParameterKind::uuid:
        if (is_uuid(text)) return {};
        return fail(Errc::invalid, fmt::format("{} must be a UUID", name));
    case ParameterKind::integer:
        if (integer_of(text)) return {};
        return fail(Errc::invalid, fmt::format("{} must be a whole number", name));
    case ParameterKind::text:
    case ParameterKind::flag:
        if (!text.empty() && text.size() <= path_text_max) return {};
        return fail(Errc::invalid, fmt::format("{} must have 1 to {} bytes", name, path_text_max));
    }
    std::abort();
}

Result<ParameterValue> parse_parameter(const QueryParameter& parameter, std::string_view text) {
    const Range range = parameter.range;
    switch (parameter.kind) {
    case ParameterKind::integer: {
        const auto value = integer_of(text);
        if (value && *value >= range.min && *value <= range.max) return ParameterValue{*value};
        return fail(
            Errc::invalid,
            fmt::format(
                "{} must be a whole number from {} to {}", parameter.name, range.min, range.max));
    }
    case ParameterKind::flag:
        if (text == "true" || text == "false") return ParameterValue{text == "true"};
        return fail(Errc::invalid, fmt::format("{} must be true or false", parameter.name));
    case ParameterKind::text: {
        const auto size = static_cast<std::int64_t>(text.size());
        if (size >= range.min && size <= range.max) return ParameterValue{std::string{text}};
        return fail(
            Errc::invalid,
            fmt::format("{} must have {} to {} bytes", parameter.name, range.min, range.max));
    }
    case ParameterKind::id:
    case ParameterKind::uuid: {
        auto checked = check_path_parameter(parameter.kind, parameter.name, text);
        if (!checked) return fail(checked.error());
        return ParameterValue{std::string{text}};
    }
    }
    std::abort();
}

json::object schema_of(ParameterKind kind, Range range) {
    switch (kind) {
    case ParameterKind::id:
        return {{"type", "string"}, {"pattern", "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"}};
    case ParameterKind::uuid: return {{"type", "string"}, {"format", "uuid"}};
    case ParameterKind::integer:
        return {{"type", "integer"}, {"minimum", range.min}, {"maximum", range.max}};
    case ParameterKind::text:
        return {{"type", "string"}, {"minLength", range.min}, {"maxLength", range.max}};
    case ParameterKind::flag: return {{"type", "boolean"}};
    }
    std::abort();
}

} // namespace hive::api

#include "kernel/json.hpp"

#include "kernel/append_format.hpp"

#include <boost/json/stream_parser.hpp>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace hive {

Result<json::value> parse_json(std::string_view text, JsonLimits limits) {
    if (text.size() > limits.bytes) {
        return fail(
            Errc::limit,
            fmt::format("JSON of {} bytes is over the limit of {}", text.size(), limits.bytes));
    }
    json::parse_options options;
    options.max_depth = limits.depth;
    json::stream_parser parser{{}, options};
    boost::system::error_code error;
    const std::size_t used = parser.write_some(text.data(), text.size(), error);
    if (!error && used < text.size()) error = json::error::extra_data;
    if (!error) parser.finish(error);
    if (error) {
        return fail(
            Errc::invalid, fmt::format("not valid JSON at byte {}: {}", used, error.message()));
    }
    return parser.release();
}

void append_json_string(std::string& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    std::size_t plain = 0; // start of the run that needs no escaping
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        out.append(text, plain, i - plain);
        plain = i + 1;
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default:
            out += "\\u00";
            out += hex[c >> 4U];
            out += hex[c & 0xfU];
        }
    }
    out.append(text, plain);
    out += '"';
}

namespace {

void append_object(std::string& out, const json::object& object) {
    out += '{';
    bool first = true;
    for (const auto& member : object) {
        if (!std::exchange(first, false)) out += ',';
        append_json_string(out, member.key());
        out += ':';
        append_json(out, member.value());
    }
    out += '}';
}

void append_array(std::string& out, const json::array& array) {
    out += '[';
    bool first = true;
    for (const auto& element : array) {
        if (!std::exchange(first, false)) out += ',';
        append_json(out, element);
    }
    out += ']';
}

} // namespace

void append_json(std::string& out, const json::value& value) {
    switch (value.kind()) {
    case json::kind::null: out += "null"; return;
    case json::kind::bool_: out += value.get_bool() ? "true" : "false"; return;
    case json::kind::int64: append_format(out, "{}", value.get_int64()); return;
    case json::kind::uint64: append_format(out, "{}", value.get_uint64()); return;
    case json::kind::double_:
        // JSON has no spelling for NaN and infinity; null is what every other writer sends.
        if (!std::isfinite(value.get_double())) {
            out += "null";
        } else {
            append_format(out, "{}", value.get_double());
        }
        return;
    case json::kind::string: append_json_string(out, value.get_string()); return;
    case json::kind::array: append_array(out, value.get_array()); return;
    case json::kind::object: append_object(out, value.get_object()); return;
    }
    std::abort();
}

std::string to_text(const json::value& value) {
    std::string out;
    append_json(out, value);
    return out;
}

void merge_patch(json::value& target, const json::value& patch) {
    if (!patch.is_object()) {
        target = patch;
        return;
    }
    if (!target.is_object()) target.emplace_object();
    auto& object = target.get_object();
    for (const auto& member : patch.get_object()) {
        if (member.value().is_null()) {
            object.erase(member.key());
        } else {
            merge_patch(object[member.key()], member.value());
        }
    }
}

} // namespace hive

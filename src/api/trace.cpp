#include "api/trace.hpp"

#include <algorithm>

namespace hive::api {
namespace {

constexpr std::size_t request_id_max = 64;

bool is_id_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
}

bool is_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '0'; });
}

std::string fresh_id(Random& random) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string id(16, '0');
    std::uint64_t bits = random();
    for (char& c : id) {
        c = digits[bits & 0xfU];
        bits >>= 4U;
    }
    return id;
}

// `00-<trace>-<parent>-<flags>`; a later version may have more behind it.
void read_traceparent(std::string_view text, Trace& trace) {
    if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return;
    const std::string_view version = text.substr(0, 2);
    const std::string_view trace_id = text.substr(3, 32);
    const std::string_view parent = text.substr(36, 16);
    const std::string_view flags = text.substr(53, 2);
    const bool sized = text.size() == 55 || (version != "00" && text[55] == '-');
    if (!sized || version == "ff" || !is_hex(version) || !is_hex(trace_id) || !is_hex(parent) ||
        !is_hex(flags) || is_zero(trace_id) || is_zero(parent)) {
        return;
    }
    trace.trace_id = trace_id;
    trace.parent_id = parent;
    trace.sampled = ((flags[1] >= 'a' ? flags[1] - 'a' + 10 : flags[1] - '0') & 1) != 0;
}

} // namespace

Trace trace_of(const http::Request& request, Random& random) {
    const std::string_view sent = request.header("X-Request-Id").value_or("");
    const bool usable =
        !sent.empty() && sent.size() <= request_id_max && std::ranges::all_of(sent, is_id_char);
    Trace trace{.request_id = usable ? std::string{sent} : fresh_id(random)};
    if (const auto parent = request.header("traceparent")) read_traceparent(*parent, trace);
    return trace;
}

} // namespace hive::api

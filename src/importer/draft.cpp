#include "importer/draft.hpp"

#include "importer/request_url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace hive::importer {
namespace {

bool is_taken(const Draft& draft, const std::string& id) {
    return std::ranges::find(draft.calls, id, &Call::id) != draft.calls.end();
}

} // namespace

std::string lower(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

bool is_of_connection(const std::string& header) {
    const std::string name = lower(header);
    constexpr std::array<std::string_view, 12> names{
        "host",   "content-length",    "connection", "keep-alive", "proxy-connection",
        "te",     "transfer-encoding", "trailer",    "upgrade",    "http2-settings",
        "expect", "accept-encoding"};
    // What begins with a colon is HTTP/2's own, `sec-` is between browser and page.
    return name.empty() || name.starts_with(':') || name.starts_with("sec-") ||
           std::ranges::find(names, name) != names.end();
}

bool is_secret(const std::string& header) {
    const std::string name = lower(header);
    constexpr std::array<std::string_view, 5> names{
        "authorization", "proxy-authorization", "cookie", "api-key", "apikey"};
    if (std::ranges::find(names, name) != names.end()) return true;
    constexpr std::array<std::string_view, 6> parts{"api-key",      "apikey",     "auth-token",
                                                    "access-token", "csrf-token", "xsrf-token"};
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return name.find(part) != name.npos; });
}

void add_call(Draft& draft, Call call) {
    if (draft.calls.size() == calls_max) {
        const auto note = fmt::format("only the first {} calls were taken", calls_max);
        if (draft.notes.empty() || draft.notes.back() != note) draft.notes.push_back(note);
        return;
    }
    if (call.id.empty()) call.id = call_name(call.method, call.path);
    const std::string name = call.id;
    for (int i = 2; is_taken(draft, call.id); ++i) call.id = fmt::format("{}-{}", name, i);
    draft.calls.push_back(std::move(call));
}

} // namespace hive::importer

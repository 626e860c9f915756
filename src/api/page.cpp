#include "api/page.hpp"

#include "api/call.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::api {
namespace {

// Anything that could end the reference or the header early.
void append_safely(std::string& out, std::string_view text) {
    for (const char c : text) {
        const bool safe = c > 0x20 && c < 0x7f && c != '<' && c != '>' && c != '"';
        if (safe) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
}

} // namespace

NextPage::NextPage(const http::Request& request) {
    append_safely(here_, request.path);
    here_ += '?';
    for (std::string_view rest = request.query; !rest.empty();) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view pair = rest.substr(0, end);
        if (!pair.empty() && !pair.starts_with("cursor=")) {
            append_safely(here_, pair);
            here_ += '&';
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

http::Response NextPage::page(json::array items, const std::string& cursor) const {
    json::object body{{"items", std::move(items)}};
    if (!cursor.empty()) body["next"] = cursor;
    http::Response response = json_response(body);
    if (!cursor.empty()) link(response, cursor);
    return response;
}

void NextPage::link(http::Response& page, std::string_view cursor) const {
    std::string target = here_ + "cursor=";
    append_safely(target, cursor);
    page.headers.add("Link", fmt::format("<{}>; rel=\"next\"", target));
}

} // namespace hive::api

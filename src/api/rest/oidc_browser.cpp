#include "api/rest/oidc_browser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    return out;
}

bool wants_page(const http::Request& request) {
    return request.header("Accept").value_or("").find("text/html") != std::string_view::npos;
}

} // namespace

std::string_view cookie_of(const http::Request& request, std::string_view name) {
    std::string_view rest = request.header("Cookie").value_or("");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view pair = http::trimmed(rest.substr(0, end));
        const std::size_t equals = pair.find('=');
        if (equals != pair.npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

void keep_private(http::Response& response) {
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("Referrer-Policy", "no-referrer");
}

http::Response explain(const api::Call& call, const api::Problem& problem) {
    http::Response response = call.fail(problem);
    if (wants_page(call.request())) {
        response.content_type = "text/html; charset=utf-8";
        response.headers.set("Content-Security-Policy", "default-src 'none'");
        response.body = fmt::format(
            "<!doctype html><html lang=\"en\"><title>Sign-in failed</title>"
            "<h1>Sign-in failed</h1><p>{}</p><p>{}</p>"
            "<p><a href=\"/auth/login\">Try again</a></p></html>\n",
            escaped(problem.detail), escaped(problem.code));
    }
    keep_private(response);
    return response;
}

} // namespace hive::rest

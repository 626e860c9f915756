#include "api/authenticator.hpp"

namespace hive::api {
namespace {

std::string_view cookie_named(std::string_view cookies, std::string_view name) {
    while (!cookies.empty()) {
        const std::size_t end = std::min(cookies.find(';'), cookies.size());
        const std::string_view pair = http::trimmed(cookies.substr(0, end));
        const std::size_t equals = pair.find('=');
        if (equals != pair.npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
    }
    return {};
}

std::string_view query_named(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=') {
            return pair.substr(name.size() + 1);
        }
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return {};
}

} // namespace

Credentials credentials_of(const http::Request& request) {
    Credentials found{};
    constexpr std::string_view scheme = "Bearer ";
    if (const auto header = request.header("Authorization")) {
        if (http::equal_ignoring_case(header->substr(0, scheme.size()), scheme)) {
            found.bearer = http::trimmed(header->substr(scheme.size()));
        }
    }
    if (const auto header = request.header("Cookie")) {
        found.cookie = cookie_named(*header, session_cookie);
    }
    if (!request.query.empty()) found.ticket = query_named(request.query, "token");
    return found;
}

} // namespace hive::api

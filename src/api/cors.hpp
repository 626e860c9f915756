#pragma once

#include "api/http/request.hpp"
#include "api/http/response.hpp"

#include <string>
#include <vector>

namespace hive::api {

// Which other sites' scripts may read our answers. Nobody by default.
struct CorsPolicy {
    std::vector<std::string> origins{}; // exact: `https://dash.example`

    bool allows(std::string_view origin) const noexcept;
};

// Adds what a browser needs to let the calling site see the answer; nothing for others.
void allow_origin(const CorsPolicy& policy, const http::Request& request, http::HeaderBlock& out);
bool is_preflight(const http::Request& request) noexcept;
void allow_preflight(std::string_view methods, http::HeaderBlock& out);

// `https://hive.example:8443` of a URL, as browsers write it: lower case, no port that goes without
// saying. Empty when it is not a URL of the web.
std::string origin_of(std::string_view url);

// Is the Origin header absent, our own, that of the URL people reach us by, or on the list? Scripts
// of other sites may open WebSockets to us with the user's cookies: this is what stops them.
bool is_own_origin(
    const CorsPolicy& policy, const http::Request& request, std::string_view own_url = {});

} // namespace hive::api

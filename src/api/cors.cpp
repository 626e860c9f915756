#include "api/cors.hpp"

#include <algorithm>

namespace hive::api {

bool CorsPolicy::allows(std::string_view origin) const noexcept {
    return std::ranges::find(origins, origin) != origins.end();
}

void allow_origin(const CorsPolicy& policy, const http::Request& request, http::HeaderBlock& out) {
    if (policy.origins.empty()) return;
    out.add("Vary", "Origin");
    const auto origin = request.header("Origin");
    if (!origin || !policy.allows(*origin)) return;
    out.add("Access-Control-Allow-Origin", *origin);
    out.add("Access-Control-Allow-Credentials", "true");
    out.add("Access-Control-Expose-Headers", "ETag, Link, Location, Retry-After, X-Request-Id");
}

bool is_preflight(const http::Request& request) noexcept {
    return request.method == http::Method::options && request.header("Origin") &&
           request.header("Access-Control-Request-Method");
}

void allow_preflight(std::string_view methods, http::HeaderBlock& out) {
    out.add("Access-Control-Allow-Methods", methods);
    out.add(
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-CSRF-Token, "
        "X-Request-Id, traceparent");
    out.add("Access-Control-Max-Age", "600");
}

std::string origin_of(std::string_view url) {
    std::string out{url.substr(0, url.find('/', std::min(url.size(), url.find("://") + 3)))};
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    const bool secure = out.starts_with("https://");
    if (!secure && !out.starts_with("http://")) return {};
    const std::string_view implied = secure ? ":443" : ":80";
    if (out.ends_with(implied)) out.resize(out.size() - implied.size());
    return out;
}

bool is_own_origin(
    const CorsPolicy& policy, const http::Request& request, std::string_view own_url) {
    if (request.count("Origin") > 1) return false;
    const auto origin = request.header("Origin");
    if (!origin) return true; // not a browser
    if (policy.allows(*origin)) return true;
    if (!own_url.empty() && *origin == origin_of(own_url)) return true;
    const std::string_view scheme =
        request.peer != nullptr && request.peer->secure ? "https://" : "http://";
    return origin->starts_with(scheme) &&
           http::equal_ignoring_case(
               origin->substr(scheme.size()), request.header("Host").value_or(""));
}

} // namespace hive::api

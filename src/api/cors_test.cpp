#include "api/cors.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

struct From : http::Request {
    explicit From(std::string_view origin) {
        headers = {{"Host", "127.0.0.1:8080"}, {"Origin", origin}};
    }
};

} // namespace

TEST_CASE("the origin of a URL is written as browsers write it") {
    CHECK(origin_of("https://Hive.Example/app?x=1") == "https://hive.example");
    CHECK(origin_of("https://hive.example:443") == "https://hive.example");
    CHECK(origin_of("https://hive.example:8443/") == "https://hive.example:8443");
    CHECK(origin_of("http://hive.example:80/") == "http://hive.example");
    CHECK(origin_of("http://[::1]:8080/a") == "http://[::1]:8080");
    CHECK(origin_of("ftp://hive.example") == "");
    CHECK(origin_of("") == "");
}

TEST_CASE("behind a proxy that speaks TLS, the public URL is our own site") {
    const std::string_view url = "https://hive.example/";
    CHECK(is_own_origin({}, From{"https://hive.example"}, url));
    CHECK_FALSE(is_own_origin({}, From{"https://hive.example"}));
    CHECK_FALSE(is_own_origin({}, From{"http://hive.example"}, url));
    CHECK_FALSE(is_own_origin({}, From{"https://hive.example.evil"}, url));
    CHECK_FALSE(is_own_origin({}, From{"https://evil.example"}, url));
    CHECK(is_own_origin({}, From{"http://127.0.0.1:8080"}, url));
    CHECK_FALSE(is_own_origin({}, From{"null"}, ""));
}

TEST_CASE("a friend's script may send what our requests need") {
    http::HeaderBlock headers;
    allow_preflight("POST, OPTIONS", headers);
    const auto allowed = headers.find("Access-Control-Allow-Headers").value_or("");
    for (const char* name : {"X-CSRF-Token", "Idempotency-Key", "If-Match", "Authorization"}) {
        CHECK(allowed.find(name) != allowed.npos);
    }
}

#include "kernel/json.hpp"
#include "tests/system/http_api.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;
using namespace hive::test;

namespace {

constexpr std::string_view as_admin = "Authorization: Bearer admin-key\r\n";

json::value parsed(const std::string& text) {
    auto value = parse_json(text);
    REQUIRE_MESSAGE(value, text);
    return std::move(*value);
}

std::string code_of(const Answer& answer) {
    CHECK(answer.headers.at("content-type") == "application/problem+json");
    const auto document = parsed(answer.body);
    CHECK(document.at("status").to_number<int>() == answer.status);
    return std::string{document.at("code").as_string()};
}

Answer post(Client& client, std::string_view path, std::string_view body, std::string headers) {
    client.send(
        "POST " + std::string{path} + " HTTP/1.1\r\nHost: hive\r\n" + headers +
        "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string{body});
    auto answer = client.receive();
    REQUIRE(answer);
    return std::move(*answer);
}

const std::string bee = "Authorization: Bearer bee-key\r\nContent-Type: application/json\r\n";

} // namespace

TEST_CASE("an authenticated request reaches its handler, with typed parameters and defaults") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto answer = client.get("/api/v1/items/i1", as_admin);
    CHECK(answer.status == 200);
    CHECK(parsed(answer.body) == json::value{{"id", "i1"}, {"limit", 20}});
    CHECK(answer.headers.at("x-content-type-options") == "nosniff");
    CHECK(answer.headers.at("cache-control") == "no-store");
    CHECK(answer.headers.at("x-request-id").size() == 16);
    const auto alias = client.get("/api/items/i1?limit=5", as_admin);
    CHECK(parsed(alias.body).at("limit") == 5);
    const auto slow = client.get("/api/v1/slow/a%20b", "Authorization: Bearer later-key\r\n");
    CHECK(parsed(slow.body) == json::value{{"name", "a b"}, {"by", "lena"}});
    CHECK(
        under.access.lines() == std::vector<std::string>{
                                    "GET /api/v1/items/i1 200 ada", "GET /api/items/i1 200 ada",
                                    "GET /api/v1/slow/a%20b 200 lena"});
}

TEST_CASE("who may not is refused: nobody, a bad key, the wrong role, a missing scope") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto nobody = client.get("/api/v1/items/i1");
    CHECK(nobody.status == 401);
    CHECK(nobody.headers.at("www-authenticate") == "Bearer");
    CHECK(code_of(nobody) == "not-signed-in");
    CHECK(code_of(client.get("/api/v1/items/i1", "Authorization: Bearer no\r\n")) == "bad-key");
    CHECK(
        code_of(client.get("/api/v1/items/i1", "Authorization: Bearer later-no\r\n")) == "bad-key");
    CHECK(code_of(client.get("/metrics", "Authorization: Bearer read-key\r\n")) == "scope-missing");
    const std::string reader =
        "Authorization: Bearer read-key\r\nContent-Type: application/json\r\n";
    CHECK(code_of(post(client, "/api/v1/items", "{}", reader)) == "role-not-allowed");
    // A key that is no good is an answer even where none is needed.
    CHECK(client.get("/healthz", "Authorization: Bearer no\r\n").status == 401);
}

TEST_CASE("every route has a rule, and each role gets what its rule says on every one of them") {
    ApiUnderTest under;
    const std::map<std::string, api::Principal> people{
        {"admin-key", {"ada", api::Role::admin, accounts::Scopes::of(api::Role::admin)}},
        {"bee-key", {"bee-1", api::Role::bee, accounts::Scopes::of(api::Role::bee)}},
        {"read-key", {"rita", api::Role::readonly, *accounts::Scopes::parse({"tasks:read"})}}};
    for (const auto& route : under.api->table().routes()) {
        CAPTURE(route.id);
        std::string path = route.path.substr(0, route.path.find('{'));
        if (path != route.path) path += "x1";
        const auto ask = [&](const std::string& header) {
            Client client = under.connect();
            client.send(
                std::string{name_of(route.method)} + " " + path + " HTTP/1.1\r\nHost: h\r\n" +
                header + "\r\n");
            return client.receive()->status;
        };
        const int nobody = ask("");
        CHECK((nobody == 401) == !route.access.is_open());
        if (!route.access.is_open()) CHECK(ask("Authorization: Bearer expired\r\n") == 401);
        for (const auto& [key, who] : people) {
            CAPTURE(key);
            const int status = ask("Authorization: Bearer " + key + "\r\n");
            CHECK((status == 403) == (route.access.deny(&who).has_value()));
            CHECK(status != 401);
        }
    }
}

TEST_CASE("bad input is refused with every problem in it") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto query = client.get("/api/v1/items/i1?limit=0&limit=1&what=1&x=%zz", as_admin);
    CHECK(query.status == 400);
    CHECK(parsed(query.body).at("errors").as_array().size() == 3);
    CHECK(code_of(client.get("/api/v1/items/a.b", as_admin)) == "invalid");
    const auto body = post(client, "/api/v1/items", R"({"name":"","size":-1,"more":1})", bee);
    CHECK(body.status == 400);
    CHECK(parsed(body.body).at("errors").as_array().size() == 3);
    CHECK(parsed(body.body).at("instance") == "/api/v1/items");
    CHECK(code_of(post(client, "/api/v1/items", "{", bee)) == "invalid-json");
    CHECK(code_of(post(client, "/api/v1/items", "[[[[[[]]]]]]", bee)) == "invalid-json");
    CHECK(code_of(post(client, "/api/v1/items", "{\"name\":\"\xff\"}", bee)) == "invalid-json");
    CHECK(
        code_of(post(client, "/api/v1/items", "{}", "Authorization: Bearer bee-key\r\n")) ==
        "wrong-media-type");
    CHECK(under.created == 0);
    const auto large = post(client, "/api/v1/items", std::string(201, ' '), bee);
    CHECK(large.status == 413);
    CHECK(code_of(large) == "body-too-large");
}

TEST_CASE("404, 405, HEAD and OPTIONS come from the table") {
    ApiUnderTest under;
    Client client = under.connect();
    CHECK(code_of(client.get("/api/v1/nothing")) == "not-found");
    client.send("DELETE /api/v1/few HTTP/1.1\r\nHost: h\r\n\r\n");
    const auto wrong = client.receive();
    CHECK(wrong->status == 405);
    CHECK(wrong->headers.at("allow") == "GET, HEAD, OPTIONS");
    client.send("HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(client.receive(true)->headers.at("content-length") == "15");
    client.send("OPTIONS /api/v1/items HTTP/1.1\r\nHost: h\r\n\r\n");
    const auto options = client.receive();
    CHECK(options->status == 204);
    CHECK(options->headers.at("allow") == "POST, OPTIONS");
    client.send("BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(client.receive()->status == 405);
}

TEST_CASE("an exception's words stay in the log") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto answer = client.get("/api/v1/slow/throw", as_admin);
    CHECK(answer.status == 500);
    CHECK(code_of(answer) == "internal-error");
    CHECK(answer.body.find("secret reason") == std::string::npos);
}

TEST_CASE("what a client has already is not sent again") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto first = client.get("/api/v1/items/i1", as_admin);
    const auto again = client.get(
        "/api/v1/items/i1",
        std::string{as_admin} + "If-None-Match: " + first.headers.at("etag") + "\r\n");
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    CHECK(client.get("/healthz").status == 200);
}

TEST_CASE("a malformed Idempotency-Key is refused before anything happens") {
    ApiUnderTest under;
    Client client = under.connect();
    const std::string broken = bee + "Idempotency-Key: a b\r\n";
    CHECK(code_of(post(client, "/api/v1/items", R"({"name":"b"})", broken)) == "idempotency-key");
    CHECK(under.created == 0);
    const std::string fine = bee + "Idempotency-Key: \"k1\"\r\n";
    CHECK(post(client, "/api/v1/items", R"({"name":"a"})", fine).status == 201);
}

TEST_CASE("a quota is announced, and 429 says when to come back") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto first = client.get("/api/v1/few");
    CHECK(first.headers.at("ratelimit") == "\"few\";r=1;t=30");
    CHECK(first.headers.at("ratelimit-policy") == "\"few\";q=2;w=60");
    client.get("/api/v1/few");
    const auto third = client.get("/api/v1/few");
    CHECK(third.status == 429);
    CHECK(third.headers.at("retry-after") == "30");
    CHECK(code_of(third) == "quota-exceeded");
}

TEST_CASE("only friends among other sites may read answers") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto friendly = client.get("/healthz", "Origin: https://friend.example\r\n");
    CHECK(friendly.headers.at("access-control-allow-origin") == "https://friend.example");
    const auto stranger = client.get("/healthz", "Origin: https://evil.example\r\n");
    CHECK_FALSE(stranger.headers.contains("access-control-allow-origin"));
    client.send("OPTIONS /api/v1/items HTTP/1.1\r\nHost: h\r\nOrigin: https://friend.example\r\n"
                "Access-Control-Request-Method: POST\r\n\r\n");
    CHECK(client.receive()->headers.at("access-control-allow-methods") == "POST, OPTIONS");
}

TEST_CASE("health, readiness and metrics are served") {
    ApiUnderTest under;
    Client client = under.connect();
    CHECK(client.get("/healthz").status == 200);
    under.health.add("store", [] { return Status{}; });
    CHECK(client.get("/readyz").status == 200);
    under.health.add("bus", [] { return fail(Errc::unavailable, "the broker is away"); });
    const auto down = client.get("/actuator/health");
    CHECK(down.status == 503);
    CHECK(parsed(down.body).at("components").at("bus").at("detail") == "the broker is away");
    CHECK(parsed(down.body).at("components").at("store").at("status") == "UP");
    const auto metrics = client.get("/metrics", as_admin);
    CHECK(metrics.status == 200);
    CHECK(metrics.body.find("# TYPE hive_http_requests_total counter") != std::string::npos);
    CHECK(
        metrics.body.find("hive_http_requests_total{operation=\"getLiveness\",status=\"2xx\"} 1") !=
        std::string::npos);
    CHECK(
        metrics.body.find("hive_http_request_seconds_count{operation=\"getReadiness\"} 1") !=
        std::string::npos);
}

TEST_CASE("assets are served with their cache rules, and pages fall back to the application") {
    ApiUnderTest under;
    Client client = under.connect();
    const auto page = client.get("/swarms/alpha");
    CHECK(page.headers.at("content-type") == "text/html; charset=utf-8");
    CHECK(page.headers.at("cache-control") == "no-cache");
    CHECK(page.headers.contains("content-security-policy"));
    const auto script = client.get("/assets/app-1a2b.js", "Accept-Encoding: br, gzip;q=0.5\r\n");
    CHECK(script.headers.at("content-encoding") == "gzip");
    CHECK(script.body == "gzipped bytes");
    CHECK(script.headers.at("cache-control") == "public, max-age=31536000, immutable");
    const auto plain = client.get("/assets/app-1a2b.js", "Accept-Encoding: gzip;q=0\r\n");
    CHECK(plain.body == "console.log('hive')");
    CHECK(plain.headers.at("etag") != script.headers.at("etag"));
    const auto cached =
        client.get("/assets/app-1a2b.js", "If-None-Match: " + plain.headers.at("etag") + "\r\n");
    CHECK(cached.status == 304);
    CHECK(client.get("/assets/missing.js").status == 404);
    CHECK(client.get("/api/missing").status == 404);
}

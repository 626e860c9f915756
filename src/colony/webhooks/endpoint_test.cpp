#include "colony/webhooks/endpoint.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::webhooks;

TEST_CASE("a pattern names one event, all of a kind, or everything") {
    CHECK(matches("task.*", "task.claimed"));
    CHECK(matches("swarm.*", "swarm.tap.opened"));
    CHECK_FALSE(matches("task.*", "tasks.claimed"));
    CHECK_FALSE(matches("task.*", "task"));
    CHECK(matches("message.new", "message.new"));
    CHECK_FALSE(matches("message.new", "message.newer"));
    CHECK(matches("*", "audit.checkpoint"));
}

TEST_CASE("what is no pattern is refused") {
    for (const auto* good : {"*", "task.*", "message.new", "swarm.tap.*", "bee.silent"}) {
        CHECK_MESSAGE(check_pattern(good), good);
    }
    for (const auto* bad : {"", ".", "task.", "*.task", "task.*.x", "Task.*", "task new", "**"}) {
        CHECK_FALSE_MESSAGE(check_pattern(bad), bad);
    }
}

TEST_CASE("a disabled endpoint wants nothing") {
    Endpoint endpoint{.id = "e", .url = "https://a.example/", .events = {"*"}};
    CHECK(wants(endpoint, "task.created"));
    endpoint.enabled = false;
    CHECK_FALSE(wants(endpoint, "task.created"));
}

TEST_CASE("only http and https URLs without a password in them") {
    for (const auto* good :
         {"https://a.example", "http://127.0.0.1:9/x?y=1", "https://[2001:db8::1]/h"}) {
        CHECK_MESSAGE(check_url(good), good);
    }
    for (const auto* bad :
         {"", "a.example", "ftp://a.example/", "file:///etc/passwd", "https://", "https:///x",
          "https://u:p@a.example/", "https://a.example/ x", "gopher://a", "https://a\r\nb"}) {
        CHECK_FALSE_MESSAGE(check_url(bad), bad);
    }
    CHECK(origin_of("https://a.example:8443/secret?token=x") == "https://a.example:8443");
}

TEST_CASE("what is shown has no secret, and what is kept comes back whole") {
    Endpoint endpoint{
        .id = "e",
        .url = "https://discord.example/api/webhooks/12/word",
        .events = {"task.*"},
        .format = Format::discord,
        .description = "for the team",
        .secrets = {.signing = make_secret({1}), .token = Secret{"tell-nobody"}}};
    const std::string shown = to_text(to_json(endpoint));
    CHECK(shown.find("whsec_") == shown.npos);
    CHECK(shown.find("tell-nobody") == shown.npos);
    CHECK(shown.find("word") == shown.npos);
    CHECK(shown.find("/12/***") != shown.npos);
    const auto back = endpoint_from_stored(to_stored(endpoint), to_stored(endpoint.secrets));
    REQUIRE(back);
    CHECK(*back == endpoint);
    CHECK_FALSE(endpoint_from_stored("{", "{}"));
    CHECK_FALSE(endpoint_from_stored(R"({"id":1})", "{}"));
}

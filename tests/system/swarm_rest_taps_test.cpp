// Taps on the queues of a swarm that works.
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::tests;

namespace {

std::string open_tap(RestHive& hive, const std::string& body) {
    const auto tap = hive.post("/swarms/alpha/taps", body);
    REQUIRE_MESSAGE(tap.status == 201, tap.text);
    CHECK(tap.items().empty());
    return "/taps/" + tap.member("id");
}

std::string payload_of(const json::value& shown) {
    const auto& steps = shown.at("item").at("steps").as_array();
    return std::string{steps.back().at("payload").as_string()};
}

} // namespace

TEST_CASE("a tap shows what passes a queue, forgets what is drained, and is gone when closed") {
    RestHive hive;
    hive.create("alpha", busy_template, true);
    const std::string tap = open_tap(hive, R"({"queue":"done","max":1000,"ttl":"1m"})");
    REQUIRE(hive.eventually([&] { return hive.get(tap).items().size() >= 3; }));
    const auto peeked = hive.get(tap);
    CHECK(peeked.member("swarm") == "alpha");
    CHECK(peeked.member("queue") == "done");
    const auto items = peeked.items();
    CHECK(payload_of(items.front()) == "tick");
    CHECK(items.front().at("item").at("steps").as_array().size() == 2);
    // A look takes nothing away, a drain does.
    const auto drained = hive.post(tap + "/drain").items();
    REQUIRE(drained.size() >= items.size());
    CHECK(drained.front() == items.front());
    const auto after = hive.get(tap).items();
    if (!after.empty()) CHECK(after.front() != items.front());

    // The swarm goes on as if nobody looked.
    CHECK(hive.swarm("alpha").at("health") == "Healthy");
    CHECK(hive.send({.method = "DELETE", .path = tap}).status == 204);
    CHECK(hive.get(tap).status == 404);
    CHECK(hive.post(tap + "/drain").status == 404);
    CHECK(hive.remove(tap).status == 404);
}

TEST_CASE("a tap holds so many items and no more, and counts what it lost") {
    RestHive hive;
    hive.create("alpha", busy_template, true);
    const std::string tap = open_tap(hive, R"({"role":"echo","direction":"in","max":3})");
    REQUIRE(hive.eventually([&] {
        const auto seen = hive.get(tap);
        CHECK(seen.items().size() <= 3);
        return seen.body().at("dropped").as_int64() > 0;
    }));
    CHECK(hive.get(tap).items().size() == 3);
    CHECK(hive.get(tap).member("queue") == "raw");
}

TEST_CASE("a tap ends at its time, and the number of taps is bounded") {
    RestHive hive;
    hive.create("alpha", busy_template, true);
    const std::string brief = open_tap(hive, R"({"queue":"raw","ttl":"1s"})");
    CHECK(hive.get(brief).status == 200);
    CHECK(hive.eventually([&] { return hive.get(brief).status == 404; }));
    int open = 0;
    Reply refused;
    for (; open < 100; ++open) {
        refused = hive.post("/swarms/alpha/taps", R"({"queue":"raw","ttl":"1m"})");
        if (refused.status != 201) break;
    }
    CHECK(open == 32);
    CHECK(refused.status == 429);
    CHECK(contains(refused.member("detail"), "close one"));
}

TEST_CASE("a tap on what is not there is refused") {
    RestHive hive;
    hive.create("alpha", busy_template);
    const auto ask = [&](const std::string& body) {
        return hive.post("/swarms/alpha/taps", body).status;
    };
    CHECK(ask(R"({"queue":"nothing"})") == 404);
    CHECK(ask(R"({"role":"nobody"})") == 404);
    CHECK(ask(R"({})") == 400);
    CHECK(ask(R"({"queue":"raw","max":0})") == 400);
    CHECK(ask(R"({"queue":"raw","ttl":"2h"})") == 400);
    CHECK(hive.post("/swarms/nobody/taps", R"({"queue":"raw"})").status == 404);
}

// What those who look after a colony see of swarms: their bees, and what webhooks tell.
#include "tests/system/swarm_rest_scene.hpp"
#include "tests/system/web_server.hpp"

#include <doctest/doctest.h>

#include <mutex>
#include <set>

using namespace hive;
using namespace hive::test;
using namespace hive::tests;

TEST_CASE("bees of running swarms are listed beside working bees, and are gone with their swarm") {
    RestHive hive;
    REQUIRE(hive.post("/bees/heartbeat", R"({"status":"STANDBY"})").status == 200);
    hive.create("alpha", quiet_template, true);
    const auto workload = [&] { return hive.get("/bees?kind=workload").items(); };
    REQUIRE(hive.eventually([&] {
        const auto seen = workload();
        return seen.size() == 2 && seen.at(0).at("health") == "healthy" &&
               seen.at(0).at("enabled") == true;
    }));
    const auto first = workload().at(0).as_object();
    CHECK(first.at("id") == "alpha-echo-1");
    CHECK(first.at("kind") == "workload");
    CHECK(first.at("role") == "echo");
    CHECK(first.at("swarm") == "alpha");
    CHECK(first.at("tps").is_number());
    CHECK(hive.get("/bees/alpha-echo-1").body().at("swarm") == "alpha");

    const auto all = hive.get("/bees").items();
    REQUIRE(all.size() == 3);
    CHECK(all.at(0).at("kind") == "working");
    CHECK(hive.get("/bees?kind=working").items().size() == 1);
    CHECK(hive.get("/bees?kind=other").status == 400);
    // A page at a time, from those that are stored to those that are not.
    std::set<std::string> paged;
    std::string next = "/bees?limit=1";
    while (!next.empty()) {
        const auto page = hive.get(next).body();
        for (const auto& bee : page.at("items").as_array()) {
            CHECK(paged.emplace(bee.at("id").as_string()).second);
        }
        const auto* cursor = page.if_contains("next");
        next = cursor ? "/bees?limit=1&cursor=" + std::string{cursor->as_string()} : "";
    }
    CHECK(paged.size() == 3);
    // Who may not see swarms does not see their bees.
    const auto key = hive.key_for("bee", {"--scope", "bees:read"});
    CHECK(hive.send({.path = "/bees?kind=workload", .key = key}).items().empty());
    CHECK(hive.send({.path = "/bees/alpha-echo-1", .key = key}).status == 404);

    CHECK(contains(hive.hive.run({"bee", "list"}).out, "echo of alpha"));
    CHECK(contains(hive.hive.run({"bee", "show", "alpha-echo-1"}).out, "workload"));
    CHECK_FALSE(contains(hive.hive.run({"bee", "list", "--kind", "working"}).out, "alpha-echo-1"));
    REQUIRE(hive.remove("/swarms/alpha").status == 202);
    CHECK(hive.eventually([&] { return workload().empty(); }));
}

TEST_CASE("webhooks tell what is asked of a swarm and what becomes of it") {
    std::mutex mutex;
    std::set<std::string> told;
    WebServer receiver{[&](const http::Request& request) -> http::Eventually<http::Response> {
        const std::lock_guard lock{mutex};
        told.emplace(parse_json(request.body).value().at("type").as_string());
        return text_answer("thanks");
    }};
    RestHive hive{{"--colony-webhooks-allow", "127.0.0.0/8"}};
    REQUIRE(
        hive.post("/webhooks", R"({"events":["swarm.*"],"url":")" + receiver.url() + "\"}")
            .status == 201);
    hive.create("alpha", quiet_template, true);
    REQUIRE(hive.post("/swarms/alpha/stop").status == 202);
    for (const std::string event :
         {"swarm.created", "swarm.stopped", "swarm.outcome", "swarm.transition"}) {
        CHECK_MESSAGE(
            hive.eventually([&] {
                const std::lock_guard lock{mutex};
                return told.contains(event);
            }),
            event);
    }
}

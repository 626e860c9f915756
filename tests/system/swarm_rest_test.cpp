// The commands of swarms over HTTP, against the program as people run it.
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::tests;

namespace {

bool replayed(const Reply& reply) {
    return reply.headers.contains("idempotent-replayed");
}

std::set<std::string> pointers_in(const Reply& reply) {
    std::set<std::string> found;
    const json::object problem = reply.body();
    for (const auto& error : problem.at("errors").as_array()) {
        found.emplace(error.at("pointer").as_string());
        CHECK_FALSE(error.at("detail").as_string().empty());
    }
    return found;
}

bool has_reason(const Reply& reply, std::string_view part) {
    return contains(reply.member("reason"), part);
}

// What the controller says of itself.
bool is_enabled(RestHive& hive, const std::string& id) {
    return hive.swarm(id).at("aggregate").at("controller").at("enabled").as_bool();
}

} // namespace

TEST_CASE("a swarm is created, started, stopped and removed, and each answer says how it ended") {
    RestHive hive;
    const auto made = hive.post("/swarms?wait=30s", create_body("alpha", quiet_template));
    REQUIRE_MESSAGE(made.status == 200, made.text);
    CHECK(made.member("status") == "Ready");
    CHECK(made.member("command") == "swarm-create");
    CHECK(made.body().at("succeeded") == true);

    const auto started = hive.post("/swarms/alpha/start?wait=30s");
    CHECK(started.member("status") == "Running");
    CHECK(hive.get("/swarms/alpha").member("phase") == "Running");
    CHECK(hive.get("/swarms/alpha").member("health") == "Healthy");
    const auto stopped = hive.post("/swarms/alpha/stop?wait=30s");
    CHECK(stopped.member("status") == "Stopped");
    CHECK(hive.get("/swarms/alpha").member("phase") == "Stopped");
    CHECK(hive.post("/swarms/alpha/start?wait=30s").member("status") == "Running");

    const auto removed = hive.remove("/swarms/alpha?wait=30s");
    CHECK(removed.member("status") == "Removed");
    const auto gone = hive.get("/swarms/alpha");
    CHECK(gone.status == 404);
    CHECK(contains(gone.member("detail"), "was removed"));
    CHECK(hive.get("/swarms").items().empty());
    CHECK(hive.get("/swarms?phase=Removed").items().size() == 1);
}

TEST_CASE("without a wait a command says what to watch, and how it ended can be asked for") {
    RestHive hive;
    const auto made = hive.post("/swarms", create_body("alpha", quiet_template));
    REQUIRE_MESSAGE(made.status == 202, made.text);
    const auto accepted = made.body();
    CHECK(made.member("swarm") == "alpha");
    CHECK(made.member("correlationId").size() == 36);
    CHECK_FALSE(made.member("idempotencyKey").empty());
    CHECK(accepted.at("timeoutMs").as_int64() > 0);
    const auto& watch = accepted.at("watch").as_object();
    CHECK(text_of(watch, "routingKey") == "event.outcome.swarm-create.alpha.orchestrator.*");
    CHECK(text_of(watch, "topic") == "control." + text_of(watch, "routingKey"));
    const auto ended = hive.get(text_of(watch, "url") + "?wait=30s");
    CHECK(ended.status == 200);
    CHECK(ended.member("status") == "Ready");
    CHECK(ended.member("correlationId") == made.member("correlationId"));
    const auto unknown = hive.get("/commands/nobody-asked-this");
    CHECK(unknown.status == 404);
}

TEST_CASE("a swarm that starts by itself is waited for until it runs") {
    RestHive hive;
    const auto made = hive.post("/swarms?wait=30s", create_body("alpha", quiet_template, true));
    REQUIRE_MESSAGE(made.status == 200, made.text);
    CHECK(made.member("status") == "Running");
    CHECK(made.member("command") == "swarm-start");
    CHECK(hive.get("/swarms/alpha").member("phase") == "Running");
    const auto other = hive.post("/swarms", create_body("beta", quiet_template, true));
    REQUIRE_MESSAGE(other.status == 202, other.text);
    const auto accepted = other.body();
    const auto& start = accepted.at("start").as_object();
    CHECK(text_of(start, "command") == "swarm-start");
    const auto ended = hive.get("/commands/" + text_of(start, "correlationId") + "?wait=30s");
    CHECK(ended.member("status") == "Running");
}

TEST_CASE("what cannot be done is refused with what is wrong and what could be done") {
    RestHive hive;
    hive.create("alpha", quiet_template);
    const auto stop = hive.post("/swarms/alpha/stop?wait=30s");
    CHECK(stop.status == 409);
    CHECK(stop.headers.at("content-type") == "application/problem+json");
    CHECK(stop.body().at("allowed") == json::array{"start", "config", "remove"});
    const auto twice = hive.post("/swarms", create_body("alpha", quiet_template));
    CHECK(twice.status == 409);
    CHECK(contains(twice.member("detail"), "exists"));

    for (const char* path :
         {"/swarms/nobody/start", "/swarms/nobody/stop", "/swarm-managers/nobody/enable",
          "/swarms/nobody/status-request"}) {
        CAPTURE(path);
        CHECK(hive.post(path).status == 404);
    }
    CHECK(hive.remove("/swarms/nobody").status == 404);
    CHECK(hive.post("/swarms/nobody/config", R"({"text":"x"})").status == 404);
    CHECK(hive.post("/swarms/alpha/components/queen/config", R"({"text":"x"})").status == 404);

    const auto bad = hive.post("/swarms", create_body("a.b", quiet_template));
    CHECK(bad.status == 400);
    CHECK(pointers_in(bad) == std::set<std::string>{"/id"});
    const auto bad_path = hive.post("/swarms/a.b/start");
    CHECK(bad_path.status == 400);
    CHECK(contains(bad_path.member("detail"), "swarmId"));
    const auto wrong = hive.post(
        "/swarms", create_body("beta", R"({"bees":[{"role":"a b"},{"role":"echo","replicas":0},
                                  {"role":"echo","work":{"in":{"in":"q 1"}}}]})"));
    CHECK(wrong.status == 400);
    CHECK(
        pointers_in(wrong) ==
        std::set<std::string>{
            "/template/bees/0/role", "/template/bees/1/replicas", "/template/bees/2/work/in/in"});
    CHECK(hive.get("/swarms").items().size() == 1);
}

TEST_CASE("a key makes a command happen once, also for a server that was killed in between") {
    RestHive hive;
    const std::vector<web::Field> key{{"Idempotency-Key", "nightly-1"}};
    const std::string body = create_body("alpha", quiet_template);
    const auto first = hive.post("/swarms", body, key);
    REQUIRE_MESSAGE(first.status == 202, first.text);
    CHECK(first.member("idempotencyKey") == "nightly-1");
    CHECK_FALSE(replayed(first));
    const auto again = hive.post("/swarms", body, key);
    CHECK(again.status == 202);
    CHECK(replayed(again));
    CHECK(again.text == first.text);
    const auto other = hive.post("/swarms", create_body("beta", quiet_template), key);
    CHECK(other.status == 422);
    CHECK(hive.get("/swarms/beta").status == 404);
    REQUIRE(hive.eventually([&] { return hive.get("/swarms/alpha").member("phase") == "Ready"; }));

    hive.hive.kill();
    hive.hive.start();
    const auto after = hive.post("/swarms", body, key);
    CHECK(after.status == 202);
    CHECK(replayed(after));
    CHECK(after.text == first.text);
    CHECK(hive.post("/swarms", create_body("beta", quiet_template), key).status == 422);
    CHECK(hive.get("/runs").items().size() == 1);
    // What was wanted is there again, and works.
    REQUIRE(hive.eventually([&] { return hive.get("/swarms/alpha").member("phase") == "Ready"; }));
    CHECK(hive.post("/swarms/alpha/start?wait=30s").member("status") == "Running");
}

TEST_CASE("configuration reaches one bee, a role or a whole swarm, or is refused with the reason") {
    RestHive hive;
    hive.create("alpha", quiet_template, true);
    const std::string good = R"({"text":"!"})";
    const std::string one = "/swarms/alpha/components/echo/alpha-echo-2/config?wait=30s";
    const auto applied = hive.post(one, good);
    CHECK(applied.member("status") == "Applied");
    const auto role = hive.post("/swarms/alpha/components/echo/config?wait=30s", good).items();
    REQUIRE(role.size() == 2);
    for (const auto& outcome : role) CHECK(outcome.at("status") == "Applied");
    CHECK(hive.post("/swarms/alpha/config?wait=30s", good).member("status") == "Applied");

    const std::string bad = R"({"volume":11})";
    const auto refused = hive.post(one, bad);
    CHECK(refused.status == 200);
    CHECK(refused.member("status") == "Failed");
    CHECK(refused.body().at("succeeded") == false);
    CHECK(has_reason(refused, "config.volume: is not known"));
    const auto all = hive.post("/swarms/alpha/config?wait=30s", bad);
    CHECK(all.member("status") == "Failed");
    CHECK(has_reason(all, "config.volume: is not known"));
    for (const auto& outcome :
         hive.post("/swarms/alpha/components/echo/config?wait=30s", bad).items()) {
        CHECK(outcome.at("status") == "Failed");
    }
    // What was refused left nothing behind that would be in the way.
    CHECK(hive.post("/swarms/alpha/config?wait=30s", good).member("status") == "Applied");
    CHECK(hive.post("/swarms/alpha/stop?wait=30s").member("status") == "Stopped");
    CHECK(hive.post("/swarms/alpha/start?wait=30s").member("status") == "Running");
    CHECK(hive.post("/swarms/alpha/config", "{}").status == 400);
}

TEST_CASE("controllers are paused and resumed, one of them and all, and say so") {
    RestHive hive;
    hive.create("alpha", quiet_template, true);
    hive.create("beta", quiet_template, true);
    CHECK(hive.post("/swarm-managers/alpha/disable?wait=30s").member("status") == "Applied");
    CHECK(hive.eventually([&] { return !is_enabled(hive, "alpha"); }));
    CHECK(is_enabled(hive, "beta"));
    CHECK(hive.post("/swarm-managers/disable?wait=30s").items().size() == 2);
    CHECK(hive.eventually([&] { return !is_enabled(hive, "beta"); }));
    const auto resumed = hive.post("/swarm-managers/enable?wait=30s").items();
    REQUIRE(resumed.size() == 2);
    for (const auto& outcome : resumed) CHECK(outcome.at("status") == "Applied");
    CHECK(hive.eventually([&] { return is_enabled(hive, "alpha") && is_enabled(hive, "beta"); }));
    // The bees were left alone.
    CHECK(hive.swarm("alpha").at("totals").at("running") == 2);
    CHECK(hive.swarm("alpha").at("rate").to_number<double>() >= 0);
}

TEST_CASE("statuses come when they are asked for, from one swarm and from all") {
    RestHive hive{{"--swarm-status-every", "1h"}}; // by itself nothing is said in time
    hive.create("alpha", quiet_template, true);
    const auto heard = [&] { return hive.get("/swarms/alpha").member("receivedAt"); };
    const auto newer = [&](const std::string& than) {
        return hive.eventually([&] { return heard() != than; });
    };
    std::string before = heard();
    const auto asked = hive.post("/swarms/alpha/status-request");
    CHECK(asked.status == 202);
    CHECK(asked.member("target") == "alpha.ALL.ALL");
    CHECK(newer(before));
    before = heard();
    const auto all = hive.post("/control-plane/refresh");
    CHECK(all.status == 202);
    CHECK(all.member("target") == "ALL.swarm-controller.ALL");
    CHECK(newer(before));
    CHECK(hive.post("/swarms/alpha/components/echo/status-request").status == 202);
    CHECK(
        hive.post("/swarms/alpha/components/echo/alpha-echo-1/status-request").member("target") ==
        "alpha.echo.alpha-echo-1");

    const auto schema = hive.get("/control-plane/schema/control-events.schema.json");
    CHECK(schema.status == 200);
    CHECK(schema.body().contains("$schema"));
    const auto none = hive.get("/control-plane/schema/none");
    CHECK(none.status == 404);
    CHECK(contains(none.member("detail"), "control-events.schema.json"));
}

#include "api/rest/swarm_keeper.hpp"
#include "loop/loop.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::test;

TEST_CASE("a command sent again with its key is done once, recorded once and answered the same") {
    Swarms scene;
    loop::Loop loop{1};
    rest::SwarmKeeper keeper{
        {.life = "life-1"},
        {.database = *scene.hive.database,
         .hive = scene.hive.hive,
         .clock = scene.clock,
         .loop = loop,
         .log = Logger{scene.hive.log, scene.clock, scene.hive.levels, "test"}}};
    scene.court.reports = {report("alpha")};
    scene.court.keep = [&](orchestrator::RiderPtr rider, std::function<void(Status)> answered) {
        keeper.keep({.riders = {std::move(rider)}}, std::move(answered));
    };
    const std::string key = "Idempotency-Key: k-1\r\n";
    const auto first = scene.post("/swarms/alpha/start", "", key);
    REQUIRE_MESSAGE(first.status == 202, first.body);
    CHECK(parsed(first.body).at("idempotencyKey") == "k-1");
    const auto again = scene.post("/swarms/alpha/start", "", key);
    CHECK(again.status == 202);
    CHECK(again.body == first.body);
    CHECK(again.headers.contains("idempotent-replayed"));
    CHECK(scene.court.asks.size() == 1);
    std::size_t recorded = 0;
    for (const auto& entry : scene.hive.audit_entries()) {
        if (entry.action == "swarm.started") ++recorded;
    }
    CHECK(recorded == 1);

    // With a longer wait it is the same request, and its outcome is that of the first.
    scene.court.set_ended(orchestrator::Ended{
        .asked = {.correlation_id = "?"},
        .swarm = alpha,
        .command = wire::Command::swarm_start,
        .status = wire::OutcomeStatus::running});
    const auto waited = scene.post("/swarms/alpha/start?wait=1s", "", key);
    CHECK(waited.status == 200);
    CHECK(parsed(waited.body).at("correlationId") == parsed(first.body).at("correlationId"));
    CHECK(scene.court.asks.size() == 1);
}

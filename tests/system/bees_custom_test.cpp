#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/swarm_scene.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::tests;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

// The examples do the same, each in its own language.
void lives_as_every_other_bee_does(const std::string& program) {
    const RabbitServer broker;
    SwarmScene scene{{.broker = broker.url(), .programs = {{"shouter", program}}}};
    const auto text = parse_json(R"({"bees":[
            {"id":"a","role":"echo","work":{"in":{"in":"in"},"out":{"out":"mid"}},
             "config":{"text":" is heard"}},
            {"id":"b","role":"shouter","work":{"in":{"in":"mid"},"out":{"out":"loud"}},
             "config":{"suffix":"!"}},
            {"id":"c","role":"echo","work":{"in":{"in":"loud"},"out":{"out":"out"}}}]})");
    const auto created = scene.create("alpha", text.value().as_object());
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);

    scene.send("ph.work.alpha.in", 200);
    const auto items = scene.take("ph.work.alpha.out", 200);
    REQUIRE(items.size() == 200);
    const auto& one = items.front();
    CHECK(one.payload() == one.trace_id + " IS HEARD!");
    REQUIRE(one.hops.size() == 3);
    CHECK(one.hops[1].by == wire::Stamp{"shouter", "alpha-shouter-1"});

    const wire::Scope bee{
        swarm_id("alpha"), Role::parse("shouter").value(),
        InstanceId::parse("alpha-shouter-1").value()};
    const auto refused = scene.configure(bee, {{"suffix", {{"loud", true}}}});
    CHECK(refused.status == OutcomeStatus::failed);
    CHECK(refused.reason.find("config.suffix") != std::string::npos);
    CHECK(scene.configure(bee, {{"suffix", "?"}}).status == OutcomeStatus::applied);
    scene.send("ph.work.alpha.in", 1);
    CHECK(scene.take("ph.work.alpha.out", 1).front().payload() == "0 IS HEARD?");

    REQUIRE(scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
    scene.send("ph.work.alpha.mid", 3); // nobody takes them now
    REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
    CHECK(scene.take("ph.work.alpha.out", 3).size() == 3);
    REQUIRE(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    CHECK(scene.reaches("alpha", orchestrator::Phase::removed));
    CHECK(scene.spy().violations().empty());
}

} // namespace

TEST_SUITE("a bee of one's own") {
    TEST_CASE("in another language it lives in a swarm as every other bee does") {
        lives_as_every_other_bee_does(in_build("node-bee/bee.js"));
    }
    TEST_CASE("built outside the tree, against the installed package, it does too") {
        lives_as_every_other_bee_does(in_build("cpp-bee/build/shouter"));
    }
    TEST_CASE("one that nobody launched says so and what is missing") {
        const auto alone =
            run({.argv = {in_build("cpp-bee/build/shouter")}}, std::chrono::seconds{30});
        CHECK(alone.exit_code == 2);
        CHECK(alone.output.find("POCKETHIVE_CONTROL_PLANE_SWARM_ID") != std::string::npos);
        CHECK(alone.output.find("the controller of a swarm launches it") != std::string::npos);
    }
}

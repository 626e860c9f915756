#include "controller/decide.hpp"
#include "kernel/timestamp.hpp"
#include "tests/support/marshal_under_test.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::controller;
using namespace std::chrono_literals;

TEST_CASE("a template is Ready once every bee has acknowledged its configuration") {
    MarshalUnderTest marshal;
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_template(pipeline()), "t");
    CHECK(marshal.outcomes_of("t").empty());
    marshal.deaf.clear();
    marshal.pass(5s);
    CHECK(marshal.outcome_of("t") == wire::OutcomeStatus::ready);
    CHECK(std::holds_alternative<Declare>(marshal.done.front()));
}

TEST_CASE("a launch that fails fails the template with its reason, and keeps everything") {
    MarshalUnderTest marshal;
    marshal.deaf = {"alpha-gen-1", "alpha-proc-1"};
    marshal.told(wire::Signal::swarm_template(pipeline()), "t");
    marshal.on(LaunchFailed{InstanceId::parse("alpha-gen-1").value(), "no such binary"});
    CHECK(marshal.outcome_of("t") == wire::OutcomeStatus::failed);
    CHECK(marshal.outcomes_of("t")[0].context->at("reason") == "alpha-gen-1: no such binary");
    CHECK(marshal.alerts("controller.runtime-error") == 1);
    CHECK(marshal.state.bees.size() == 2);
}

TEST_CASE("a start before template and plan is NotReady, says why and does nothing") {
    MarshalUnderTest marshal;
    marshal.told(wire::Signal::swarm_start(), "s");
    CHECK(marshal.outcome_of("s") == wire::OutcomeStatus::not_ready);
    CHECK(marshal.outcomes_of("s")[0].context->at("initialized") == false);
    CHECK(marshal.state.phase == Phase::empty);
}

TEST_CASE("a start enables producers first and waits for them") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_start(), "s");
    CHECK(marshal.enabled.empty());
    marshal.deaf.clear();
    marshal.pass(4s);
    CHECK(marshal.enabled == std::vector<std::string>{"alpha-gen-1", "alpha-proc-1"});
    CHECK(marshal.outcome_of("s") == wire::OutcomeStatus::running);
}

TEST_CASE("a bee that does not start in time fails the start by name") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_start(), "s");
    marshal.pass(60s);
    CHECK(marshal.outcome_of("s") == wire::OutcomeStatus::failed);
    CHECK(marshal.state.phase == Phase::failed);
}

TEST_CASE("every attempt has one outcome, however often it is delivered") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.told(wire::Signal::swarm_start(), "s1");
    marshal.told(wire::Signal::swarm_start(), "s1");
    marshal.told(wire::Signal::swarm_start(), "s2");
    CHECK(marshal.outcome_of("s1") == wire::OutcomeStatus::running);
    CHECK(marshal.outcome_of("s2") == wire::OutcomeStatus::running);
}

TEST_CASE("a bee that falls silent is asked, then stale, and recovers with one alert each") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.deaf = {"alpha-gen-1"};
    marshal.pass(30s);
    CHECK(marshal.state.health == "Degraded");
    CHECK(marshal.alerts("worker.stale") == 1);
    const auto workers = marshal.aggregate().at("workers").as_array();
    const auto worker = [&](std::string_view instance) {
        return *std::ranges::find_if(workers, [&](const auto& one) {
            return std::string_view{one.at("instance").as_string()} == instance;
        });
    };
    CHECK(worker("alpha-gen-1").at("health") == "stale");
    const auto seen = [&](std::string_view instance) {
        return parse_timestamp(worker(instance).at("lastSeen").as_string()).value();
    };
    CHECK(seen("alpha-proc-1") - seen("alpha-gen-1") >= 15s); // it stands still
    marshal.deaf.clear();
    const auto gen = find_if(marshal.said.begin(), marshal.said.end(), [](const auto& envelope) {
        return envelope.scope.instance.text() == "alpha-gen-1";
    });
    marshal.bee_says(gen->scope, false, {{"lastConfig", *gen->correlation_id}});
    CHECK(marshal.state.health == "Healthy");
    CHECK(marshal.alerts("worker.recovered") == 1);
}

TEST_CASE("a removal ends the bees, then removes the objects, then says Removed") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.told(wire::Signal::swarm_remove(), "r");
    CHECK(marshal.outcomes_of("r").empty());
    CHECK(std::ranges::any_of(marshal.done, [](const Command& command) {
        return std::holds_alternative<StopAllBees>(command);
    }));
    marshal.on(BeesGone{});
    marshal.on(ObjectsRemoved{});
    CHECK(marshal.outcome_of("r") == wire::OutcomeStatus::removed);
}

TEST_CASE("a bee that somebody turned on is turned off while its swarm is not running") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.said.clear();
    marshal.bee_says(marshal.bee("gen"), true, {{"lastConfig", "of-somebody-else"}});
    const auto sent = std::ranges::find_if(marshal.said, [](const wire::Envelope& envelope) {
        return std::holds_alternative<wire::Signal>(envelope.body);
    });
    REQUIRE(sent != marshal.said.end());
    CHECK(std::get<wire::Signal>(sent->body).data == json::object{{"enabled", false}});
}

TEST_CASE("every bee that is not provisioned in its own time is named") {
    MarshalUnderTest marshal;
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_template(pipeline()), "t");
    marshal.pass(119s);
    CHECK(marshal.outcomes_of("t").empty());
    marshal.on(Launched{MarshalUnderTest::id("alpha-gen-1")}); // it was slow to launch
    marshal.pass(119s);
    CHECK(marshal.outcomes_of("t").empty());
    marshal.pass(2s);
    CHECK(marshal.outcome_of("t") == wire::OutcomeStatus::failed);
    CHECK(marshal.reason_of("t") == "alpha-gen-1: never reported its status");
}

TEST_CASE("a paused controller leaves silent bees alone, answers, and can always be resumed") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.told(wire::Signal::enable(false), "pause");
    marshal.deaf = {"alpha-gen-1", "alpha-proc-1"};
    marshal.pass(60s);
    CHECK(marshal.alerts("worker.stale") == 0);
    CHECK(marshal.count<InspectQueues>() == 0);
    CHECK(marshal.aggregate().at("controller").at("enabled") == false);
    marshal.deaf.clear();
    marshal.told(wire::Signal::swarm_stop(), "stop");
    CHECK(marshal.outcome_of("stop") == wire::OutcomeStatus::stopped);
    marshal.told(wire::Signal::enable(true), "resume");
    CHECK(marshal.outcome_of("resume") == wire::OutcomeStatus::applied);
    CHECK_FALSE(marshal.state.paused);
}

TEST_CASE("a running controller pauses and resumes its loops without touching the bees") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.told(wire::Signal::enable(false), "early");
    CHECK(marshal.outcome_of("early") == wire::OutcomeStatus::not_ready);
    marshal.told(wire::Signal::swarm_start(), "s");
    marshal.told(wire::Signal::enable(false), "c");
    CHECK(marshal.outcome_of("c") == wire::OutcomeStatus::applied);
    CHECK(marshal.state.paused);
    CHECK(marshal.state.bees.front().enabled);
}

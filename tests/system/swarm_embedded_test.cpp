#include "tests/system/swarm_lifecycle.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <future>

using namespace hive;
using namespace hive::tests;
using orchestrator::Phase;
using orchestrator::Wish;
using wire::OutcomeStatus;

TEST_SUITE("swarms in one process") {
    TEST_CASE("a swarm lives from create to remove") {
        SwarmScene scene;
        lives_from_create_to_remove(scene);
    }
    TEST_CASE("a remove right after a create wins") {
        SwarmScene scene;
        remove_wins_over_create(scene);
    }
    TEST_CASE("a configuration that a bee refuses changes nothing") {
        SwarmScene scene;
        bad_config_is_refused(scene);
    }
    TEST_CASE("a role that nobody knows fails the creation and says so") {
        SwarmScene scene;
        unknown_role_fails_the_creation(scene);
    }
    TEST_CASE("what was wanted is brought back after a restart") {
        SwarmScene scene;
        REQUIRE(scene.create("alpha", chain_of(2)).status == OutcomeStatus::ready);
        REQUIRE(scene.create("beta", chain_of(2)).status == OutcomeStatus::ready);
        REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        scene.restart();
        CHECK(scene.reaches("alpha", Phase::running));
        CHECK(scene.reaches("beta", Phase::ready));
        scene.send("ph.work.alpha.in", 5);
        CHECK(scene.take("ph.work.alpha.out", 5).size() == 5);
    }
    TEST_CASE("a swarm that was removed may be created again") {
        SwarmScene scene;
        for (int i = 0; i < 3; ++i) {
            REQUIRE(scene.create("again", chain_of(2)).status == OutcomeStatus::ready);
            REQUIRE(scene.wish("again", Wish::removed).status == OutcomeStatus::removed);
            REQUIRE(scene.reaches("again", Phase::removed));
        }
    }
    TEST_CASE("an echo bee that nobody feeds makes items while its swarm runs") {
        SwarmScene scene;
        const auto text = parse_json(R"({"bees":[
            {"id":"gen","role":"echo","work":{"out":{"out":"raw"}},
             "config":{"inputs":{"scheduler":{"ratePerSec":200}},"text":"tick"}},
            {"id":"fwd","role":"echo","work":{"in":{"in":"raw"},"out":{"out":"done"}},
             "config":{"text":"!"}}]})");
        REQUIRE(scene.create("alpha", text.value().as_object()).status == OutcomeStatus::ready);
        CHECK(scene.outside().topology().inspect("ph.work.alpha.raw").value().depth == 0);
        REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        const auto items = scene.take("ph.work.alpha.done", 5);
        REQUIRE(items.size() == 5);
        CHECK(items.front().payload() == "tick!");
        CHECK(items.front().trace_id != items.back().trace_id);
        CHECK(items.front().hops.size() == 2);

        const wire::Scope gen{
            swarm_id("alpha"), Role::parse("echo").value(),
            InstanceId::parse("alpha-echo-1").value()};
        const auto refused =
            scene.configure(gen, {{"inputs", {{"scheduler", {{"ratePerSec", -1}}}}}});
        CHECK(refused.status == OutcomeStatus::failed);
        CHECK(refused.reason.find("config.inputs.scheduler.ratePerSec") != std::string::npos);
        CHECK(scene.configure(gen, {{"text", "tock"}}).status == OutcomeStatus::applied);
        CHECK(scene.eventually(
            [&] { return scene.take("ph.work.alpha.done", 1).front().payload() == "tock!"; }));
        REQUIRE(scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
        const auto done = scene.outside().topology().inspect("ph.work.alpha.done").value().depth;
        REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        CHECK(scene.take("ph.work.alpha.done", done + 3).size() == done + 3);
    }

    TEST_CASE("a controller that is gone is told of as silent, and as well again") {
        SwarmScene scene;
        REQUIRE(scene.create("alpha", chain_of(1)).status == OutcomeStatus::ready);
        const auto io = scene.spy().full_status_of("alpha-marshal").at("io");
        CHECK(io.at("control").at("queues").at("in").as_array().size() == 1);
        std::promise<void> gone;
        scene.host().runtime().stop(
            {swarm_id("alpha"), wire::controller_role(),
             InstanceId::parse("alpha-marshal").value()},
            std::chrono::seconds{1}, [&](const Status&) { gone.set_value(); });
        gone.get_future().wait();
        CHECK(scene.eventually([&] { return !scene.spy().alerts("controller.silent").empty(); }));
        CHECK(
            scene.eventually([&] { return !scene.spy().alerts("controller.recovered").empty(); }));
        CHECK(scene.spy().alerts("controller.silent").size() == 1);
        for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
    }
    TEST_CASE("a message that is none is told of by whoever rejected it") {
        SwarmScene scene;
        REQUIRE(scene.create("alpha", chain_of(1)).status == OutcomeStatus::ready);
        for (const char* key :
             {"signal.config-update.alpha.echo.alpha-echo-1",
              "signal.config-update.alpha.swarm-controller.alpha-marshal"}) {
            REQUIRE(scene.outside().control().publish(
                {key, "no envelope"}, bus::Persistence::persistent));
        }
        CHECK(scene.eventually([&] { return scene.spy().alerts("message.rejected").size() == 2; }));
        CHECK(scene.eventually([&] {
            const auto entries = scene.keeper().entries();
            return std::ranges::count(
                       entries, "message.rejected", &orchestrator::JournalEntry::type) == 2;
        }));
    }
}

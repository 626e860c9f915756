// A store that is away, or that refuses: what becomes of what people asked for.
#include "tests/system/swarm_scene.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using orchestrator::Batch;
using orchestrator::Phase;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

struct Note final : orchestrator::Rider {};

orchestrator::WishAsked start_of(const std::string& swarm, const std::string& id) {
    return {.swarm = swarm_id(swarm), .wish = Wish::running, .attempt = {id, id}, .who = "ada"};
}

} // namespace

TEST_SUITE("swarms whose store is in trouble") {
    TEST_CASE("a rider that the store refuses fails its command, which then never was") {
        SwarmScene scene;
        REQUIRE(scene.create("alpha", chain_of(2)).status == OutcomeStatus::ready);
        scene.keeper().judge_by([](const Batch& batch) -> Status {
            if (batch.riders.empty()) return {};
            return fail(Errc::invalid, "this audit entry cannot be written");
        });
        const auto refused = scene.ask(start_of("alpha", "s"), std::make_shared<Note>());
        REQUIRE_FALSE(refused);
        CHECK(refused.error().detail == "this audit entry cannot be written");
        CHECK(scene.queen().find(swarm_id("alpha"))->swarm.wish == Wish::stopped);
        CHECK(scene.queen().find(swarm_id("alpha"))->swarm.asks.empty());
        // She is not stuck, and what was not refused works.
        REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        CHECK(scene.spy().outcomes().count("s") == 0);
    }

    TEST_CASE("of several commands at once only the refused one fails") {
        std::atomic<bool> away = true; // so that they come together; outlives who asks it
        SwarmScene scene;
        scene.keeper().judge_by([&](const Batch& batch) -> Status {
            if (away) return fail(Errc::unavailable, "the disk is elsewhere");
            for (const auto& swarm : batch.swarms) {
                if (swarm.id.text() == "bad") return fail(Errc::invalid, "what a name");
            }
            return {};
        });
        std::map<std::string, std::promise<Status>> answers;
        for (const char* name : {"first", "one", "bad", "two"}) {
            auto& answer = answers[name];
            scene.queen().ask(
                orchestrator::CreateAsked{
                    .swarm = swarm_id(name),
                    .text = chain_of(1),
                    .plan = {},
                    .attempt = {name, name},
                    .run = name},
                nullptr, [&answer](Status status) { answer.set_value(std::move(status)); });
        }
        away = false;
        for (auto& [name, answer] : answers) {
            const auto status = answer.get_future().get();
            CHECK_MESSAGE(status.has_value() == (name != "bad"), name);
        }
        CHECK(scene.queen().find(swarm_id("bad")) == nullptr);
        CHECK(scene.reaches("one", Phase::ready));
        CHECK(scene.reaches("two", Phase::ready));
    }

    TEST_CASE("a store that is away is asked again, and nobody is told a failure meanwhile") {
        std::atomic<int> left = 2;
        SwarmScene scene;
        scene.keeper().judge_by([&](const Batch& batch) -> Status {
            if (batch.asks.empty() || left-- <= 0) return {};
            return fail(Errc::unavailable, "the disk is elsewhere");
        });
        CHECK(scene.create("alpha", chain_of(1)).status == OutcomeStatus::ready);
        CHECK(left < 0);
    }

    TEST_CASE("what happened and cannot be kept is told of, and the queen goes on") {
        SwarmScene scene;
        scene.keeper().judge_by([&](const Batch& batch) -> Status {
            if (batch.asks.empty() && !batch.swarms.empty()) return fail(Errc::invalid, "too odd");
            return {};
        });
        CHECK(scene.create("alpha", chain_of(1)).status == OutcomeStatus::ready);
        CHECK(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        CHECK(
            scene.eventually([&] { return !scene.spy().alerts("orchestrator.not-kept").empty(); }));
        CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    }
}

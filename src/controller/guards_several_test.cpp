// Several guards in one swarm: whose sample an answer is.
#include "controller/decide.hpp"
#include "tests/support/marshal_under_test.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <map>

using namespace hive;
using namespace hive::controller;
using namespace std::chrono_literals;

namespace {

json::object two_lines() {
    return parse_json(R"({"bees": [
        {"id": "a", "role": "generator", "work": {"out": {"out": "left"}},
         "config": {"inputs": {"scheduler": {"ratePerSec": 30}}}},
        {"id": "b", "role": "generator", "work": {"out": {"out": "right"}},
         "config": {"inputs": {"scheduler": {"ratePerSec": 10}}}},
        {"role": "moderator", "work": {"in": {"l": "left", "r": "right"}, "out": {"out": "calls"}}},
        {"role": "processor", "work": {"in": {"in": "calls"}}}]})")
        .value()
        .as_object();
}

json::object guard_of(const char* queue, const char* period) {
    return {
        {"enabled", true},
        {"queueAlias", queue},
        {"targetDepth", 100},
        {"minDepth", 60},
        {"maxDepth", 140},
        {"samplePeriod", period},
        {"movingAverageWindow", 1},
        {"adjust", {{"minRatePerSec", 1}, {"maxRatePerSec", 1000}, {"maxIncreasePct", 50}}},
        {"backpressure", {{"queueAlias", "calls"}}}};
}

// The broker answers only when it is told to.
struct TwoGuards : MarshalUnderTest {
    std::map<std::string, std::uint64_t> depths{
        {"ph.work.alpha.left", 100}, {"ph.work.alpha.right", 100}, {"ph.work.alpha.calls", 0}};
    std::deque<SampleQueues> asked{};

    explicit TwoGuards(const char* period) {
        told(wire::Signal::swarm_template(two_lines()), "t");
        told(
            wire::Signal::swarm_plan(
                {{"trafficPolicy",
                  {{"bufferGuards", {guard_of("left", "500ms"), guard_of("right", period)}}}}}),
            "p");
        told(wire::Signal::swarm_start(), "s");
    }
    void live(Duration time, std::size_t owed) {
        for (const TimePoint end = moment.now + time; moment.now < end;) {
            advance(10ms);
            const std::size_t before = done.size();
            on(Tick{});
            for (std::size_t i = before; i < done.size(); ++i) {
                if (const auto* one = std::get_if<SampleQueues>(&done[i])) asked.push_back(*one);
            }
            while (asked.size() > owed) answer();
        }
    }
    void answer() {
        QueuesSampled seen;
        for (const auto& queue : asked.front().queues) seen.queues[queue] = depths.at(queue);
        asked.pop_front();
        on(seen);
    }
    std::uint64_t missing(std::size_t guard) {
        return aggregate()
            .at("bufferGuards")
            .at(guard)
            .at("missingSamples")
            .to_number<std::uint64_t>();
    }
};

} // namespace

TEST_SUITE("controller") {
    TEST_CASE("an answer counts for those who asked for it, and for nobody else") {
        TwoGuards marshal{"300ms"};
        REQUIRE(marshal.outcome_of("p") == wire::OutcomeStatus::ready);
        marshal.depths["ph.work.alpha.left"] = 10;
        marshal.depths["ph.work.alpha.right"] = 190;
        marshal.live(400ms, 9); // the right one has asked
        REQUIRE(marshal.asked.size() == 1);
        marshal.live(150ms, 9); // and now the left one
        REQUIRE(marshal.asked.size() == 2);
        marshal.answer();
        CHECK(marshal.missing(0) == 0);
        CHECK(marshal.missing(1) == 0);
        marshal.answer();
        marshal.live(5s, 0);
        CHECK(marshal.missing(0) == 0);
        CHECK(marshal.missing(1) == 0);
        CHECK(marshal.alerts("guard.depth-missing") == 0);
        const auto guards = marshal.aggregate().at("bufferGuards").as_array();
        CHECK(guards[0].at("depth") == 10.0);
        CHECK(guards[1].at("depth") == 190.0);
        CHECK(guards[0].at("state") == "FILLING");
        CHECK(guards[1].at("state") == "DRAINING");
    }

    TEST_CASE("a queue that two guards look at is read once for both") {
        TwoGuards marshal{"500ms"};
        marshal.live(600ms, 9);
        REQUIRE(marshal.asked.size() == 1);
        CHECK(
            marshal.asked[0].queues ==
            std::vector<std::string>{
                "ph.work.alpha.calls", "ph.work.alpha.left", "ph.work.alpha.right"});
        TwoGuards other{"300ms"};
        other.live(550ms, 9); // the right one waits for `calls` when the left one asks
        REQUIRE(other.asked.size() == 2);
        CHECK(other.asked[1].queues == std::vector<std::string>{"ph.work.alpha.left"});
        other.answer();
        other.answer();
        CHECK(other.aggregate().at("bufferGuards").at(0).at("depth") == 100.0);
    }

    TEST_CASE("an answer that never comes is a missing sample, and the next one is asked for") {
        TwoGuards marshal{"500ms"};
        marshal.live(2100ms, 99);
        CHECK(marshal.missing(0) == 3);
        CHECK(marshal.alerts("guard.depth-missing") == 2); // one each
        marshal.live(1s, 0);
        CHECK(marshal.missing(0) == 0);
        CHECK(marshal.alerts("guard.depth-known") == 2);
    }

    TEST_CASE("of several guards a patch says which one it is for") {
        TwoGuards marshal{"500ms"};
        const wire::Scope self{marshal.alpha, wire::controller_role(), marshal.instance};
        const auto patch = [&](const char* policy, const char* id) {
            marshal.told(
                self, wire::Signal::config_update({{"trafficPolicy", parse_json(policy).value()}}),
                id);
            return marshal.outcome_of(id);
        };
        CHECK(patch(R"({"bufferGuard":{"maxDepth":150}})", "c1") == wire::OutcomeStatus::failed);
        CHECK(marshal.reason_of("c1").find("say which by queueAlias") != std::string::npos);
        CHECK(
            patch(R"({"bufferGuards":[{"queueAlias":"right","maxDepth":150}]})", "c2") ==
            wire::OutcomeStatus::applied);
        CHECK(marshal.state.guards[0].settings.max_depth == 140);
        CHECK(marshal.state.guards[1].settings.max_depth == 150);
        CHECK(patch(R"({"bufferGard":{}})", "c3") == wire::OutcomeStatus::failed);
        CHECK(
            patch(R"({"bufferGuard":{"queueAlias":"calls"}})", "c4") ==
            wire::OutcomeStatus::failed);
    }
}

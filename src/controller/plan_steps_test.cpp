#include "controller/decide.hpp"
#include "tests/support/marshal_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::controller;
using namespace std::chrono_literals;

namespace {

struct PlannedMarshal : MarshalUnderTest {
    explicit PlannedMarshal(std::string_view plan) {
        told(wire::Signal::swarm_template(pipeline()), "t");
        told(wire::Signal::swarm_plan(parse_json(plan).value().as_object()), "p");
    }
    void start() { told(wire::Signal::swarm_start(), "s"); }
    // Wakes when the marshal wants to, as its shell does.
    void live(Duration time) {
        const TimePoint end = moment.now + time;
        while (moment.now < end) {
            TimePoint next = std::min(end, moment.now + 1s);
            if (const auto due = state.timeline.next()) next = std::min(next, *due);
            advance(std::max(next - moment.now - 1ms, Duration::zero())); // on() takes one itself
            on(Tick{});
        }
    }
    const Bee& gen() { return *find_bee("alpha-gen-1"); }
    const Bee* find_bee(std::string_view name) {
        for (const Bee& bee : state.bees) {
            if (bee.spec.instance.text() == name) return &bee;
        }
        return nullptr;
    }
    std::vector<double> rates_told() const {
        std::vector<double> rates;
        for (const auto& envelope : said) {
            const auto* signal = std::get_if<wire::Signal>(&envelope.body);
            if (signal == nullptr || signal->command != wire::Command::config_update) continue;
            if (auto rate = plan::number_at(signal->data, "rate")) rates.push_back(*rate);
        }
        return rates;
    }
};

} // namespace

TEST_SUITE("controller") {
    TEST_CASE("steps are carried out for whom they are and at their time, from the start on") {
        PlannedMarshal marshal{R"({"bees":[{"role":"gen","steps":[
            {"stepId":"fast","time":"5s","config":{"rate":50}},
            {"stepId":"off","time":"8s","type":"stop"},
            {"stepId":"on","time":"9s","type":"start"}]}]})"};
        CHECK(marshal.outcome_of("p") == wire::OutcomeStatus::ready);
        marshal.live(20s); // nothing counts before the start
        CHECK(marshal.alerts("plan.step") == 0);
        marshal.start();
        marshal.live(4900ms);
        CHECK(marshal.rates_told().empty());
        marshal.live(200ms);
        CHECK(marshal.rates_told() == std::vector<double>{50});
        CHECK(marshal.gen().config.at("rate") == 50);
        CHECK(!marshal.find_bee("alpha-proc-1")->config.contains("rate"));
        marshal.live(3s);
        CHECK(!marshal.gen().wanted);
        marshal.live(1s);
        CHECK(marshal.gen().wanted);
        CHECK(marshal.alerts("plan.step") == 3);
        CHECK(marshal.alerts("plan.completed") == 1);
        CHECK(marshal.aggregate().at("planProgress").at("complete") == true);
    }

    TEST_CASE("a step finds its instance without the name of the swarm, and bees by their ids") {
        PlannedMarshal marshal{R"({"bees":[
            {"instanceId":"gen-1","steps":[{"stepId":"a","time":"1s","config":{"rate":5}}]},
            {"beeIds":["gen","proc"],"steps":[{"stepId":"b","time":"2s","config":{"more":7}}]}]})"};
        CHECK(marshal.outcome_of("p") == wire::OutcomeStatus::ready);
        marshal.start();
        marshal.live(3s);
        CHECK(marshal.gen().config.at("rate") == 5);
        CHECK(!marshal.find_bee("alpha-proc-1")->config.contains("rate"));
        CHECK(marshal.gen().config.at("more") == 7);
        CHECK(marshal.find_bee("alpha-proc-1")->config.at("more") == 7);
        CHECK(marshal.alerts("plan.step") == 2);
        const PlannedMarshal other{
            R"({"bees":[{"instanceId":"n-1","steps":[{"stepId":"a","time":"1s"}]}]})"};
        CHECK(other.outcome_of("p") == wire::OutcomeStatus::failed);
    }

    TEST_CASE("a stop holds the plan; nothing fires in a heap when the swarm starts again") {
        PlannedMarshal marshal{R"({"swarm":[{"stepId":"a","time":"2s","config":{"rate":1}},
            {"stepId":"b","time":"4s","config":{"rate":2}},
            {"stepId":"c","time":"6s","config":{"rate":3}}]})"};
        marshal.start();
        marshal.live(3s);
        marshal.told(wire::Signal::swarm_stop(), "stop");
        marshal.live(60s);
        CHECK(marshal.rates_told() == std::vector<double>{1, 1}); // both bees
        marshal.told(wire::Signal::swarm_start(), "again");
        marshal.live(500ms);
        CHECK(marshal.rates_told().size() == 2);
        marshal.live(3s);
        CHECK(marshal.rates_told() == std::vector<double>{1, 1, 2, 2, 3, 3});
    }

    TEST_CASE("a ramp moves a number from what it is to what it shall be") {
        PlannedMarshal marshal{R"({"bees":[{"instanceId":"alpha-gen-1","steps":[
            {"stepId":"set","time":"1s","config":{"rate":100}},
            {"stepId":"up","time":"2s","type":"ramp","field":"rate","to":300,
             "duration":"2s"}]}]})"};
        marshal.start();
        marshal.live(5s);
        const auto rates = marshal.rates_told();
        REQUIRE(rates.size() == 22); // as set, and 21 times on the way
        CHECK(rates[1] == 100);
        CHECK(rates[11] == 200);
        CHECK(rates.back() == 300);
        CHECK(std::ranges::is_sorted(rates));
        CHECK(marshal.gen().config.at("rate") == 300);
        CHECK(marshal.state.ramps_from.empty());
    }

    TEST_CASE("a ramp without a number to begin with is told and harms nobody") {
        PlannedMarshal marshal{R"({"bees":[{"beeId":"gen","steps":[{"stepId":"up","time":"1s",
            "type":"ramp","field":"rate","to":3,"duration":"1s"}]}]})"};
        marshal.start();
        marshal.live(3s);
        CHECK(marshal.alerts("plan.no-start-value") == 1);
        CHECK(marshal.rates_told().empty());
        CHECK(marshal.alerts("plan.completed") == 1);
    }

    TEST_CASE("a plan that cannot be is refused with the reason, the same one again goes on") {
        PlannedMarshal marshal{R"({"bees":[{"role":"queen","steps":[
            {"stepId":"a","time":"1s","config":{"rate":1}}]}]})"};
        CHECK(marshal.outcome_of("p") == wire::OutcomeStatus::failed);
        CHECK(marshal.reason_of("p").find("every queen") != std::string::npos);
        const auto plan = parse_json(R"({"swarm":[{"stepId":"a","time":"2s",
            "config":{"rate":1}}]})")
                              .value()
                              .as_object();
        marshal.told(wire::Signal::swarm_plan(plan), "p2");
        marshal.start();
        marshal.live(1s);
        marshal.told(wire::Signal::swarm_plan(plan), "p3");
        CHECK(marshal.outcome_of("p3") == wire::OutcomeStatus::ready);
        marshal.live(1100ms);
        CHECK(marshal.rates_told().size() == 2);
    }
}

#include "controller/decide.hpp"
#include "tests/support/marshal_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::controller;
using namespace std::chrono_literals;

namespace {

json::object parsed(std::string_view text) {
    return parse_json(text).value().as_object();
}

json::object guarded_pipeline() {
    return parsed(R"({"bees": [
        {"id": "fast", "role": "generator", "work": {"out": {"out": "raw"}},
         "config": {"inputs": {"scheduler": {"ratePerSec": 30}}}},
        {"id": "slow", "role": "generator", "work": {"out": {"out": "raw"}},
         "config": {"inputs": {"scheduler": {"ratePerSec": 10}}}},
        {"role": "moderator", "work": {"in": {"in": "raw"}, "out": {"out": "calls"}},
         "config": {"mode": {"type": "rate-per-sec", "ratePerSec": 40}}},
        {"role": "processor", "work": {"in": {"in": "calls"}}}]})");
}

constexpr std::string_view policy = R"({"trafficPolicy":{"bufferGuard":{"enabled":true,
    "queueAlias":"raw","targetDepth":100,"minDepth":60,"maxDepth":140,"samplePeriod":"500ms",
    "movingAverageWindow":2,"adjust":{"minRatePerSec":1,"maxRatePerSec":1000,"maxIncreasePct":50,
    "maxDecreasePct":50},"backpressure":{"queueAlias":"calls","highDepth":50,"recoveryDepth":20,
    "moderatorReductionPct":50}}}})";

// Queues as deep as the test says; everybody takes what the guard tells at once.
struct GuardedMarshal : MarshalUnderTest {
    std::optional<std::uint64_t> raw = 100;
    std::optional<std::uint64_t> calls = 0;

    explicit GuardedMarshal(
        std::string_view plan = policy, const json::object& bees = guarded_pipeline()) {
        told(wire::Signal::swarm_template(bees), "t");
        told(wire::Signal::swarm_plan(parsed(plan)), "p");
        told(wire::Signal::swarm_start(), "s");
    }
    void live(Duration time) {
        const TimePoint end = moment.now + time;
        while (moment.now < end) {
            advance(10ms);
            const std::size_t before = done.size();
            on(Tick{});
            for (std::size_t i = before; i < done.size(); ++i) answer(i);
        }
    }
    void answer(std::size_t index) {
        const auto* asked = std::get_if<SampleQueues>(&done[index]);
        if (asked == nullptr) return;
        QueuesSampled seen;
        for (const auto& queue : asked->queues) {
            seen.queues[queue] = queue.ends_with(".raw") ? raw : calls;
        }
        on(seen);
    }
    // Its policy, and a plan beside it.
    static std::string with_plan(std::string_view plan) {
        json::object text = parsed(policy);
        for (const auto& [name, value] : parsed(plan)) text[name] = value;
        return to_text(text);
    }
    void patch(std::string_view guards, const std::string& correlation) {
        told(
            wire::Scope{alpha, wire::controller_role(), instance},
            wire::Signal::config_update(json::object{{"trafficPolicy", parsed(guards)}}),
            correlation);
    }
    // A bee that somebody else has configured says so.
    void bee_has(std::string_view name, json::object config) {
        Bee& bee = *std::ranges::find_if(
            state.bees, [&](const Bee& each) { return each.spec.instance.text() == name; });
        advance(1ms);
        on(Heard{wire::Envelope::status(
            {wire::Origin::parse("bee:x").value(), moment.wall},
            wire::Scope{alpha, bee.spec.role, bee.spec.instance},
            wire::StatusFull{
                .enabled = true,
                .started_at = moment.wall,
                .config = std::move(config),
                .io = {.control = wire::Wiring{}},
                .context = json::object{{"lastConfig", "of-a-person"}}})});
    }
    std::string phase(std::size_t guard = 0) {
        return aggregate().at("bufferGuards").at(guard).at("state").as_string().c_str();
    }
    double rate(std::string_view instance) const {
        return of(instance, "inputs.scheduler.ratePerSec");
    }
    double of(std::string_view instance, std::string_view field) const {
        for (const Bee& bee : state.bees) {
            if (bee.spec.instance.text() == instance) {
                return plan::number_at(bee.config, field).value_or(-1);
            }
        }
        return -1;
    }
};

} // namespace

TEST_SUITE("controller") {
    TEST_CASE("a queue that runs empty has its producers sped up, each in its proportion") {
        GuardedMarshal marshal;
        REQUIRE(marshal.outcome_of("p") == wire::OutcomeStatus::ready);
        marshal.raw = 10;
        marshal.live(3s);
        const double fast = marshal.rate("alpha-generator-1");
        CHECK(fast > 30);
        CHECK(fast == doctest::Approx(3 * marshal.rate("alpha-generator-2")));
        CHECK(marshal.alerts("guard.rate") > 0);
        const auto guards = marshal.aggregate().at("bufferGuards").as_array();
        REQUIRE(guards.size() == 1);
        CHECK(guards[0].at("state") == "FILLING");
    }

    TEST_CASE("a stop hands the configured rates back") {
        GuardedMarshal marshal;
        marshal.raw = 10;
        marshal.live(3s);
        marshal.told(wire::Signal::swarm_stop(), "stop");
        CHECK(marshal.rate("alpha-generator-1") == 30);
        CHECK(marshal.rate("alpha-generator-2") == 10);
        const auto asked = marshal.count<SampleQueues>();
        marshal.live(3s);
        CHECK(marshal.count<SampleQueues>() == asked);
    }

    TEST_CASE("a full queue further on slows both ends down, and both come back") {
        GuardedMarshal marshal;
        marshal.calls = 80;
        marshal.live(3s);
        CHECK(marshal.of("alpha-moderator-1", "mode.admitPct") < 100);
        CHECK(marshal.of("alpha-moderator-1", "mode.ratePerSec") == 40);
        CHECK(marshal.rate("alpha-generator-1") < 30);
        CHECK(marshal.aggregate().at("bufferGuards").at(0).at("state") == "BACKPRESSURE");
        marshal.calls = 0;
        marshal.live(20s);
        CHECK(marshal.of("alpha-moderator-1", "mode.admitPct") == 100);
        CHECK(marshal.of("alpha-moderator-1", "mode.ratePerSec") == 40);
    }

    TEST_CASE("a depth that nobody knows freezes the rate and is told once") {
        GuardedMarshal marshal;
        marshal.live(2s);
        marshal.raw.reset();
        marshal.live(1600ms);
        const double rate = marshal.rate("alpha-generator-1");
        marshal.live(10s);
        CHECK(marshal.rate("alpha-generator-1") == rate);
        std::size_t warnings = 0;
        for (const auto& envelope : marshal.said) {
            const auto* alert = std::get_if<wire::Alert>(&envelope.body);
            warnings += alert != nullptr && alert->level == wire::AlertLevel::warn ? 1U : 0U;
        }
        CHECK(warnings == 1);
    }

    TEST_CASE("values of a guard change while it works; off hands the rates back") {
        GuardedMarshal marshal;
        marshal.raw = 10;
        marshal.live(3s);
        const wire::Scope self{marshal.alpha, wire::controller_role(), marshal.instance};
        marshal.told(
            self,
            wire::Signal::config_update(
                parsed(R"({"trafficPolicy":{"bufferGuard":{"adjust":{"maxRatePerSec":20}}}})")),
            "c1");
        CHECK(marshal.outcome_of("c1") == wire::OutcomeStatus::applied);
        marshal.live(5s);
        CHECK(marshal.rate("alpha-generator-1") == doctest::Approx(15));
        marshal.told(
            self,
            wire::Signal::config_update(
                parsed(R"({"trafficPolicy":{"bufferGuard":{"minDepth":500}}})")),
            "c2");
        CHECK(marshal.outcome_of("c2") == wire::OutcomeStatus::failed);
        marshal.told(
            self,
            wire::Signal::config_update(
                parsed(R"({"trafficPolicy":{"bufferGuard":{"enabled":false}}})")),
            "c3");
        marshal.live(1s);
        CHECK(marshal.rate("alpha-generator-1") == 30);
    }

    TEST_CASE("a step of the plan outlasts the backpressure that it came into") {
        GuardedMarshal marshal{GuardedMarshal::with_plan(
            R"({"bees":[{"role":"moderator","steps":[{"stepId":"more","time":"3s",
                "config":{"mode":{"ratePerSec":90}}}]}]})")};
        marshal.calls = 80;
        marshal.live(5s);
        REQUIRE(marshal.phase() == "BACKPRESSURE");
        CHECK(marshal.of("alpha-moderator-1", "mode.ratePerSec") == 90);
        marshal.calls = 0;
        marshal.live(20s);
        CHECK(marshal.of("alpha-moderator-1", "mode.admitPct") == 100);
        CHECK(marshal.of("alpha-moderator-1", "mode.ratePerSec") == 90);
    }

    TEST_CASE("moderators are slowed down in every mode, and the mode stays") {
        for (const char* mode :
             {R"({"type":"ramp","ramp":{"from":1,"to":9,"over":"30s"}})",
              R"({"type":"steps","steps":{"list":[{"ratePerSec":5,"lasts":"9s"}]}})",
              R"({"type":"sine","sine":{"minRatePerSec":1,"maxRatePerSec":9}})"}) {
            CAPTURE(mode);
            json::object bees = guarded_pipeline();
            bees.at("bees").as_array()[2].as_object()["config"] =
                json::object{{"mode", parsed(mode)}};
            GuardedMarshal marshal{policy, bees};
            marshal.calls = 80;
            marshal.live(3s);
            json::object now = marshal.state.bees[2].config.at("mode").as_object();
            CHECK(now.at("admitPct").to_number<double>() < 100);
            now.erase("admitPct");
            CHECK(now == parsed(mode));
        }
    }

    TEST_CASE("one that lets everything pass gets what it let pass as its rate") {
        json::object bees = guarded_pipeline();
        bees.at("bees").as_array()[2].as_object()["config"] = json::object{};
        GuardedMarshal marshal{policy, bees};
        marshal.live(5s);
        marshal.calls = 80;
        marshal.live(2s);
        const double rate = marshal.of("alpha-moderator-1", "mode.ratePerSec");
        CHECK(rate == doctest::Approx(40).epsilon(0.1)); // all that comes in is taken
        marshal.live(2s);
        CHECK(marshal.of("alpha-moderator-1", "mode.ratePerSec") == rate);
    }

    TEST_CASE("a step that sets a steered rate is what the guard hands back") {
        GuardedMarshal marshal{GuardedMarshal::with_plan(
            R"({"bees":[{"beeId":"fast","steps":[{"stepId":"more","time":"2s",
                "config":{"inputs":{"scheduler":{"ratePerSec":90}}}}]}]})")};
        marshal.live(1900ms);
        const double total = marshal.rate("alpha-generator-1") + marshal.rate("alpha-generator-2");
        marshal.live(300ms);
        // The queue says how much; in which proportion is said by whoever configures.
        CHECK(
            marshal.rate("alpha-generator-1") + marshal.rate("alpha-generator-2") ==
            doctest::Approx(total).epsilon(0.05));
        CHECK(
            marshal.rate("alpha-generator-1") ==
            doctest::Approx(9 * marshal.rate("alpha-generator-2")));
        marshal.told(wire::Signal::swarm_stop(), "stop");
        CHECK(marshal.rate("alpha-generator-1") == 90);
        CHECK(marshal.rate("alpha-generator-2") == 10);
    }

    TEST_CASE("so is a rate that a person gave to a bee") {
        GuardedMarshal marshal;
        marshal.live(2s);
        marshal.bee_has(
            "alpha-generator-2", parsed(R"({"inputs":{"scheduler":{"ratePerSec":70}}})"));
        CHECK(
            3 * marshal.rate("alpha-generator-2") ==
            doctest::Approx(7 * marshal.rate("alpha-generator-1")));
        marshal.patch(R"({"bufferGuard":{"enabled":false}})", "off");
        CHECK(marshal.rate("alpha-generator-1") == 30);
        CHECK(marshal.rate("alpha-generator-2") == 70);
    }

    TEST_CASE("a guard that was off is switched on, and reads nothing before") {
        json::object off = parsed(policy);
        off.at("trafficPolicy").at("bufferGuard").as_object()["enabled"] = false;
        GuardedMarshal marshal{to_text(off)};
        marshal.raw = 10;
        marshal.live(3s);
        CHECK(marshal.count<SampleQueues>() == 0);
        CHECK(marshal.rate("alpha-generator-1") == 30);
        CHECK(!decide(marshal.state, Tick{}, marshal.moment).wake_at);
        marshal.patch(R"({"bufferGuard":{"enabled":true}})", "on");
        CHECK(marshal.outcome_of("on") == wire::OutcomeStatus::applied);
        marshal.live(3s);
        CHECK(marshal.rate("alpha-generator-1") > 30);
    }

    TEST_CASE("the journal has why a rate moved as fields") {
        GuardedMarshal marshal;
        marshal.raw = 10;
        marshal.live(3s);
        const auto moves = marshal.alerts_with("guard.rate");
        REQUIRE(!moves.empty());
        const json::object& context = *moves.back().context;
        for (const char* name : {"queue", "from", "to", "depth", "estimate", "rule"}) {
            CHECK_MESSAGE(context.contains(name), name);
        }
        CHECK(context.at("to").to_number<double>() > context.at("from").to_number<double>());
        CHECK(context.at("depth") == 10.0);
    }

    TEST_CASE("ahead of a spike the target is raised, until it begins") {
        json::object text = parsed(GuardedMarshal::with_plan(
            R"({"swarm":[{"stepId":"rush","time":"6s","type":"spike","duration":"1s"}]})"));
        text.at("trafficPolicy").at("bufferGuard").as_object()["prefill"] =
            parsed(R"({"enabled":true,"lookahead":"2s","liftPct":30})");
        GuardedMarshal marshal{to_text(text)};
        marshal.live(3s);
        CHECK(marshal.phase() == "STEADY");
        marshal.live(2s);
        CHECK(marshal.phase() == "PREFILL");
        CHECK(marshal.aggregate().at("bufferGuards").at(0).at("target") == 130.0);
        CHECK(marshal.rate("alpha-generator-1") > 30);
        marshal.live(2s);
        CHECK(marshal.phase() != "PREFILL");
    }

    TEST_CASE("the first spike of the next run is prepared for in this one") {
        json::object text = parsed(GuardedMarshal::with_plan(
            R"({"swarm":[{"stepId":"rush","time":"1s","type":"spike"}],"runs":2,"length":"8s"})"));
        text.at("trafficPolicy").at("bufferGuard").as_object()["prefill"] =
            parsed(R"({"enabled":true,"lookahead":"3s"})");
        GuardedMarshal marshal{to_text(text)};
        marshal.live(5s);
        CHECK(marshal.phase() == "STEADY");
        marshal.live(2s);
        CHECK(marshal.phase() == "PREFILL");
        marshal.live(3s);
        CHECK(marshal.phase() == "STEADY");
    }

    TEST_CASE("prefill that is switched on while a spike is near begins at once") {
        GuardedMarshal marshal{GuardedMarshal::with_plan(
            R"({"swarm":[{"stepId":"rush","time":"20s","type":"spike"}]})")};
        marshal.live(2s);
        marshal.patch(R"({"bufferGuard":{"prefill":{"enabled":true,"lookahead":"1m"}}})", "ahead");
        marshal.live(1s);
        CHECK(marshal.phase() == "PREFILL");
    }

    TEST_CASE("the switch for all guards keeps them off duty") {
        MarshalUnderTest marshal;
        marshal.told(wire::Signal::swarm_template(guarded_pipeline()), "t");
        marshal.told(wire::Signal::swarm_plan(parsed(policy)), "p");
        marshal.told(wire::Signal::swarm_start(), "s");
        Decision last = decide(marshal.state, Tick{}, marshal.moment, {.buffer_guards = false});
        CHECK(last.next.guards.at(0).state.phase == guard::Phase::disabled);
        CHECK(!last.next.guards.at(0).state.on_duty);
    }

    TEST_CASE("a guard that cannot be is refused with every reason") {
        const GuardedMarshal marshal{R"({"trafficPolicy":{"bufferGuards":[
            {"enabled":true,"queueAlias":"nowhere"},
            {"enabled":true,"queueAlias":"calls"},
            {"enabled":true,"queueAlias":"raw","minDepth":300},
            {"enabled":true,"queueAlias":"raw"},{"enabled":true,"queueAlias":"raw"}]}})"};
        REQUIRE(marshal.outcome_of("p") == wire::OutcomeStatus::failed);
        const std::string why = marshal.reason_of("p");
        for (const char* part :
             {"bufferGuards[0].queueAlias", "no bee has a queue 'nowhere'", "whose rate can be",
              "bufferGuards[2]", "another guard steers alpha-generator-1"}) {
            CHECK_MESSAGE(why.find(part) != why.npos, part, " is not in ", why);
        }
    }
}

#include "bees/moderator/gate.hpp"
#include "bees/moderator/moderator.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

using namespace hive;
using namespace hive::bees;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint start{1h};

ModeConfig mode_of(std::string_view text) {
    auto mode = bind<ModeConfig>(parse_json(text).value().as_object(), "mode");
    REQUIRE_MESSAGE(mode, (mode ? "" : mode.error().detail));
    return *std::move(mode);
}

// A gate in front of a queue that never runs dry, on virtual time.
struct GateUnderTest {
    explicit GateUnderTest(std::string_view text)
        : gate{Gate::open(mode_of(text), start).value()} {}

    // When items pass, as a bee sees it that wakes at the moments it is told.
    std::vector<Duration> passed_until(Duration end) {
        std::vector<Duration> out;
        while (now - start <= end) {
            const std::size_t count = gate.allowed(now);
            gate.take(count, now);
            out.insert(out.end(), count, now - start);
            const auto next = gate.next(now);
            if (!next) break;
            now = std::max(*next, now + 1us);
        }
        now = start + end;
        return out;
    }
    json::object said() {
        json::object out;
        gate.report(now, out);
        return out;
    }

    TimePoint now = start;
    Gate gate;
};

std::size_t within(const std::vector<Duration>& passed, Duration from, Duration to) {
    return static_cast<std::size_t>(
        std::ranges::count_if(passed, [&](Duration at) { return at >= from && at < to; }));
}

std::string refusal(std::string_view config) {
    const auto ok = moderator().check(parse_json(config).value().as_object());
    return ok ? "" : ok.error().detail;
}

} // namespace

TEST_CASE("steps and ramps let pass what their rate says") {
    GateUnderTest steps{R"({"type":"steps","steps":{"after":"stop","list":[
        {"ratePerSec":10,"lasts":"10s"},{"ratePerSec":0,"lasts":"5s"},
        {"ratePerSec":100,"lasts":"5s"}]}})"};
    const auto stepped = steps.passed_until(60s);
    CHECK(within(stepped, 0s, 10s) == doctest::Approx(100).epsilon(0.02));
    CHECK(within(stepped, 10100ms, 15s) == 0);
    CHECK(within(stepped, 15s, 20001ms) == doctest::Approx(500).epsilon(0.01));
    CHECK(within(stepped, 20001ms, 60s) == 0);

    GateUnderTest ramp{R"({"type":"ramp","ramp":{"from":0,"to":100,"over":"10s"}})"};
    const auto ramped = ramp.passed_until(20s);
    CHECK(within(ramped, 0s, 5s) == doctest::Approx(125).epsilon(0.02));
    CHECK(within(ramped, 5s, 10s) == doctest::Approx(375).epsilon(0.01));
    CHECK(within(ramped, 10s, 20s) == doctest::Approx(1000).epsilon(0.01));
}

TEST_CASE("a pattern has bursts, spikes and noise, and says where it is") {
    GateUnderTest pattern{R"({"type":"pattern","pattern":{"baseRatePerSec":100,
        "spikes":[{"at":"2s","width":"1s","liftPct":200}],
        "segments":[
          {"id":"calm","lasts":"10s","mode":"flat","level":1},
          {"id":"bursts","lasts":"10s","mode":"flat","level":1,
           "mutators":[{"type":"burst","every":"5s","width":"1s","liftPct":400}]},
          {"id":"noisy","lasts":"10s","mode":"flat","level":2,
           "mutators":[{"type":"noise","pct":50,"every":"1s","seed":7}]},
          {"id":"rest","lasts":"10s","mode":"flat","level":0}]}})"};
    CHECK(pattern.said().at("segment").as_string() == "calm");
    CHECK(pattern.said().at("mode").as_string() == "pattern");
    const auto passed = pattern.passed_until(35s);
    CHECK(within(passed, 0s, 2s) == doctest::Approx(200).epsilon(0.02));
    CHECK(within(passed, 2s, 3s) == doctest::Approx(300).epsilon(0.02));
    CHECK(within(passed, 10s, 20s) == doctest::Approx(1000 + 2 * 400).epsilon(0.02));
    std::size_t least = 1000;
    std::size_t most = 0;
    for (Duration at = 20s; at < 30s; at += 1s) {
        const std::size_t here = within(passed, at, at + 1s);
        least = std::min(least, here);
        most = std::max(most, here);
        CHECK(here >= 98);
        CHECK(here <= 302);
    }
    CHECK(most > least + 20);
    CHECK(within(passed, 30100ms, 35s) == 0);

    const auto said = pattern.said();
    CHECK(said.at("segment").as_string() == "rest");
    CHECK(pattern.gate.stopped(pattern.now));
    CHECK(said.at("throttled").as_string().find("may pass in 5.0 s") != json::string::npos);
    CHECK(pattern.gate.next(pattern.now) > start + 40s); // it goes on with the next cycle
}

TEST_CASE("less is admitted of whatever the mode says, and the mode goes on where it is") {
    const auto change = [](GateUnderTest& under, std::string_view text) {
        REQUIRE(under.gate.change(mode_of(text), under.now));
    };
    GateUnderTest ramp{R"({"type":"ramp","ramp":{"from":0,"to":100,"over":"10s"}})"};
    ramp.passed_until(5s);
    change(ramp, R"({"type":"ramp","admitPct":50,"ramp":{"from":0,"to":100,"over":"10s"}})");
    CHECK(ramp.passed_until(10s).size() == doctest::Approx(188).epsilon(0.02));
    CHECK(ramp.said().at("admitPct") == 50.0);
    change(ramp, R"({"type":"ramp","ramp":{"from":0,"to":100,"over":"10s"}})");
    CHECK(ramp.passed_until(12s).size() == doctest::Approx(200).epsilon(0.02));

    const auto steps = [](int admitted) {
        return fmt::format(
            R"({{"type":"steps","admitPct":{},"steps":{{"list":[{{"ratePerSec":100,"lasts":"2s"}},
            {{"ratePerSec":200,"lasts":"20s"}}]}}}})",
            admitted);
    };
    GateUnderTest stepped{steps(100)};
    stepped.passed_until(4s);
    change(stepped, steps(10));
    CHECK(stepped.passed_until(6s).size() == doctest::Approx(40).epsilon(0.05));

    GateUnderTest open{"{}"};
    change(open, R"({"ratePerSec":100,"admitPct":50})"); // of what it let pass before
    CHECK(open.passed_until(10s).size() == doctest::Approx(500).epsilon(0.02));
    change(open, R"({"ratePerSec":100,"admitPct":100})");
    CHECK(open.gate.allowed(open.now) > 1'000'000);
}

TEST_CASE("rate 0 stops and says so, and another mode opens the gate again") {
    GateUnderTest under{R"({"type":"rate-per-sec","ratePerSec":0})"};
    CHECK(under.passed_until(10s).empty());
    CHECK(under.gate.stopped(under.now));
    CHECK(under.said().at("throttled").as_string().find("rate is 0") != json::string::npos);
    REQUIRE(under.gate.change(mode_of(R"({"type":"rate-per-sec","ratePerSec":50})"), under.now));
    CHECK(under.passed_until(20s).size() == doctest::Approx(500).epsilon(0.01));
    CHECK_FALSE(under.said().contains("throttled"));
    REQUIRE(under.gate.change({}, under.now)); // pass-through
    CHECK(under.gate.allowed(under.now) > 1'000'000);
    CHECK_FALSE(under.gate.stopped(under.now));
}

TEST_CASE("jitter moves items apart, keeps the rate, and repeats with its seed") {
    const auto run = [](int seed) {
        GateUnderTest under{fmt::format(
            R"({{"type":"rate-per-sec","ratePerSec":10,"seed":{},
                 "jitter":{{"type":"SEQUENCE","max":"80ms"}}}})",
            seed)};
        return under.passed_until(100s);
    };
    const auto passed = run(1);
    CHECK(passed.size() == doctest::Approx(1000).epsilon(0.003));
    Duration shortest = 1s;
    Duration longest = 0s;
    for (std::size_t i = 1; i < passed.size(); ++i) {
        shortest = std::min(shortest, passed[i] - passed[i - 1]);
        longest = std::max(longest, passed[i] - passed[i - 1]);
    }
    CHECK(shortest < 60ms);
    CHECK(longest > 140ms);
    CHECK(longest <= 181ms);
    CHECK(passed == run(1));
    CHECK(passed != run(2));
}

TEST_CASE("a mode that cannot work is refused with its place") {
    CHECK(refusal(R"({"mode":{"type":"pass-through","ratePerSec":0.0}})").empty());
    CHECK(refusal(R"({"mode":{"type":"ramp"}})").find("mode.ramp is missing") != std::string::npos);
    CHECK(
        refusal(R"({"mode":{"type":"steps","steps":{"list":[{"ratePerSec":1}]}}})")
            .find("mode.steps.list[0].lasts is missing") != std::string::npos);
    CHECK(
        refusal(R"({"mode":{"type":"pattern","pattern":{"baseRatePerSec":1,
            "segments":[{"mode":"flat"}]}}})")
            .find("mode.pattern.segments[0].lasts and share") != std::string::npos);
    CHECK(
        refusal(R"({"mode":{"type":"sine","jitter":{"type":"PERIODIC","max":"1ms"}}})")
            .find("use SEQUENCE") != std::string::npos);
    CHECK(refusal(R"({"mode":{"type":"patern"}})").find("config.mode.type") != std::string::npos);
}

#include "tests/simulation/campaign.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace hive;
using namespace hive::simulation;

namespace {

const Scenario& scenario(std::string_view name) {
    const Scenario* found = find_scenario(name);
    REQUIRE(found != nullptr);
    return *found;
}

std::string story_of(const Scenario& which, std::uint64_t seed) {
    std::string story;
    play(which, seed, FaultSet::all(), [&](std::string_view line) {
        story += line;
        story += '\n';
    });
    return story;
}

constexpr std::uint64_t seeds_to_find_a_bug = 20'000;

} // namespace

TEST_CASE("the same seed tells the same story byte for byte, another seed another") {
    const Scenario& handshake = scenario("handshake");
    std::set<std::string> stories;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto story = story_of(handshake, seed);
        CHECK(story.size() > 1000);
        CHECK(story == story_of(handshake, seed));
        stories.insert(story);
    }
    CHECK(stories.size() == 50);
}

TEST_CASE("telling the story does not change it") {
    const Scenario& handshake = scenario("handshake");
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto silent = play(handshake, seed, FaultSet::all(), {});
        CHECK(silent == play(handshake, seed, FaultSet::all(), [](std::string_view) {}));
    }
}

TEST_CASE("the sound protocol holds all its rules on many seeds") {
    const auto result = run({.scenario = scenario("handshake"), .from = 100'000, .seeds = 1000});
    CHECK(result.seeds == 1000);
    CHECK_FALSE(result.failure);
}

TEST_CASE("every planted bug is found, and its seed fails again in the same way") {
    int planted = 0;
    for (const Scenario& buggy : scenarios()) {
        if (!buggy.planted_bug) continue;
        ++planted;
        if (!HUNT_ALL_BUGS && buggy.name.starts_with("swarm")) continue;
        CAPTURE(buggy.name);
        const auto result = run({.scenario = buggy, .seeds = seeds_to_find_a_bug, .jobs = 2});
        REQUIRE(result.failure);
        const Failure& failure = *result.failure;
        CHECK(play(buggy, failure.seed, FaultSet::all(), {}) == failure.report);
        const auto story = story_of(buggy, failure.seed);
        CHECK(story.find(failure.report.violation->rule) != std::string::npos);
    }
    CHECK(planted == 10);
}

TEST_CASE("shrinking leaves only faults without which the bug is not seen") {
    const Scenario& buggy = scenario("handshake-outcome-early");
    const auto result = run({.scenario = buggy, .seeds = seeds_to_find_a_bug});
    REQUIRE(result.failure);
    const Shrunk small = shrink(buggy, *result.failure, FaultSet::all(), 500);
    CHECK(small.faults == FaultSet::none().with(Fault::crash));
    const auto again = play(buggy, small.seed, small.faults, {});
    REQUIRE(again.violation);
    CHECK(again.violation->rule == result.failure->report.violation->rule);
}

TEST_CASE("a campaign plays each of its seeds once on any number of threads") {
    const Scenario& handshake = scenario("handshake");
    const auto one = run({.scenario = handshake, .from = 7, .seeds = 200});
    const auto three = run({.scenario = handshake, .from = 7, .seeds = 200, .jobs = 3});
    CHECK(one.seeds == 200);
    CHECK(three.seeds == 200);
    CHECK(one.steps == three.steps);
}

TEST_CASE("a campaign ends early when it is told that it is enough") {
    Campaign campaign{.scenario = scenario("handshake")};
    campaign.enough = [](std::uint64_t done) { return done >= 10; };
    CHECK(run(campaign).seeds == 10);
}

TEST_CASE("the command to replay names scenario, seed and a restricted set of faults") {
    const Scenario& handshake = scenario("handshake");
    CHECK(
        replay_command(handshake, 42, FaultSet::all()) ==
        "build/tests/simulation --scenario handshake --seed 42 --trace");
    CHECK(
        replay_command(handshake, 42, FaultSet::none().with(Fault::loss)) ==
        "build/tests/simulation --scenario handshake --seed 42 --faults loss --trace");
}

TEST_CASE("scenarios have names of their own") {
    std::set<std::string_view> names;
    for (const Scenario& one : scenarios()) names.insert(one.name);
    CHECK(names.size() == scenarios().size());
    CHECK(find_scenario("no-such") == nullptr);
}

// A buffer guard over real queues. The bounds are wide, for the machine may be busy: how well the
// guard holds is printed by `build/bench/guard_swarm`.
#include "tests/support/rabbit_server.hpp"
#include "tests/system/guard_course.hpp"
#include "tests/system/mock_scene.hpp"
#include "tests/system/swarm_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

GuardStory run_course(const GuardCourse& course, const SceneOptions& options) {
    SwarmScene scene{options};
    const SystemClock clock;
    GuardWatch watch{scene.host().connect(bus::Grants::everything(), "watch").value(), clock};
    const auto created = scene.create("guarded", bees_of(course), plan_of(course));
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    REQUIRE(scene.wish("guarded", Wish::running).status == OutcomeStatus::running);
    GuardStory story = watch.watch(course.length, 20ms);
    const auto guards = scene.aggregate("guarded").at("bufferGuards").as_array();
    REQUIRE(guards.size() == 1);
    CHECK(guards[0].at("queueAlias") == "raw");
    // Of a controller that is another process its status has to do.
    const std::string page = scene.host().metrics().text();
    for (const char* name : {"depth", "target", "rate_override", "state"}) {
        const auto line = fmt::format(R"(buffer_guard_{}{{swarm="guarded",guard="raw"}} )", name);
        CHECK_MESSAGE(page.find(line) != page.npos, line);
    }
    CHECK(scene.wish("guarded", Wish::removed).status == OutcomeStatus::removed);
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
    return story;
}

// 500 a second, then 1,000, then 500 again, over a target of 0.6 s.
void holds_and_follows(const SceneOptions& options) {
    const test::RunningMock mock{{}};
    const GuardCourse course{
        .turns = {{5, "gate", 1000}, {9, "gate", 500}},
        .length = 13,
        .target_url = fmt::format("http://127.0.0.1:{}", *mock.server->http_port())};
    const GuardStory story = run_course(course, options);
    // What the guard let through was called: 500 a second for nine seconds, 1,000 for four.
    CHECK(mock.server->record().requests > 5000);
    const double twice = story.begun("turn-1");
    const double half = story.begun("turn-2");
    REQUIRE(twice > 0);
    REQUIRE(half > twice);
    const double target = course.target;
    CHECK(story.part_within(0.2, target, {twice - 2.5, twice}) >= 0.9);
    // Ten samples are one second; a busy machine gets as much again.
    CHECK(story.part_within(0.2, target, {twice + 2, half}) >= 0.9);
    CHECK(story.part_within(0.2, target, {half + 2}) >= 0.9);
    CHECK(story.rate_at(twice - 0.1) == doctest::Approx(500).epsilon(0.2));
    CHECK(story.rate_at(half - 0.1) == doctest::Approx(1000).epsilon(0.2));
}

// What is behind the gate stands still for two seconds: everybody waits for it, and returns.
void presses_back(const SceneOptions& options) {
    const GuardCourse course{
        .sink = 900,
        .backpressure = true,
        .turns = {{4, "sink", 20}, {6, "sink", 900}},
        .length = 14};
    const GuardStory story = run_course(course, options);
    const double stall = story.begun("turn-1");
    REQUIRE(stall > 0);
    double slowest = 1e9;
    for (const auto& move : story.moves) {
        if (move.code != "guard.rate" || move.context.at("state") != "BACKPRESSURE") continue;
        slowest = std::min(slowest, move.context.at("to").to_number<double>());
    }
    CHECK(slowest <= 250);               // the generator
    CHECK(story.least_factor() <= 0.75); // the moderator
    const auto& last = story.looks.back();
    CHECK(last.behind < 100);
    CHECK(story.moves.back().at > stall);
    CHECK(story.highest({stall}).depth <= 1.2 * course.high());
    CHECK(story.part_within(0.2, course.target, {last.at - 2}) >= 0.9);
    double factor = 0;
    for (const auto& move : story.moves) {
        if (move.code == "guard.moderator") factor = move.context.at("factor").to_number<double>();
    }
    CHECK(factor == 1);
}

// A spike of the plan is three seconds away: the target is 390 until it comes.
void fills_ahead(const SceneOptions& options) {
    const GuardCourse course{.spike = 7, .length = 10};
    const GuardStory story = run_course(course, options);
    const double spike = story.begun("spike");
    REQUIRE(spike > 0);
    CHECK(story.part_within(0.2, course.target, {spike - 4.5, spike - 3.2}) >= 0.9);
    CHECK(story.part_within(0.1, 390, {spike - 1, spike}) >= 0.9);
    CHECK(std::ranges::any_of(story.moves, [](const auto& move) {
        return move.code == "guard.rate" && move.context.at("state") == "PREFILL";
    }));
    CHECK(story.part_within(0.2, course.target, {spike + 1.5}) >= 0.9);
}

// Its numbers change while it works, a bad change is refused as a whole, and off is off at once.
void changes_live(const SceneOptions& options) {
    const GuardCourse course{};
    SwarmScene scene{options};
    const SystemClock clock;
    GuardWatch watch{scene.host().connect(bus::Grants::everything(), "watch").value(), clock};
    REQUIRE(
        scene.create("guarded", bees_of(course), plan_of(course)).status == OutcomeStatus::ready);
    REQUIRE(scene.wish("guarded", Wish::running).status == OutcomeStatus::running);
    const wire::Scope marshal{
        swarm_id("guarded"), wire::controller_role(), InstanceId::parse("guarded-marshal").value()};
    const auto patched = [&](const char* guard) {
        const auto patch = json::object{
            {"trafficPolicy", json::object{{"bufferGuard", parse_json(guard).value()}}}};
        return scene.configure(marshal, patch).status;
    };
    const auto state = [&] {
        const auto guards = scene.aggregate("guarded").at("bufferGuards").as_array();
        return std::string{guards.at(0).at("state").as_string()};
    };
    watch.watch(3, 50ms);
    CHECK(patched(R"({"targetDepth":600,"maxDepth":500})") == OutcomeStatus::failed);
    CHECK(
        patched(R"({"targetDepth":600,"minDepth":400,"maxDepth":800})") == OutcomeStatus::applied);
    const GuardStory story = watch.watch(5, 20ms);
    CHECK(story.part_within(0.2, 600, {story.looks.back().at - 2}) >= 0.9);
    CHECK(patched(R"({"enabled":false})") == OutcomeStatus::applied);
    CHECK(scene.eventually([&] { return state() == "DISABLED"; }));
    const GuardStory after = watch.watch(1, 50ms);
    CHECK(std::ranges::any_of(after.moves, [](const auto& move) {
        const auto* rule = move.context.if_contains("rule");
        return rule != nullptr && *rule == "static" && move.context.at("to") == 500;
    }));
    CHECK(scene.wish("guarded", Wish::removed).status == OutcomeStatus::removed);
}

} // namespace

TEST_SUITE("guards in one process") {
    TEST_CASE("numbers of a guard change while it works, and off hands the rates back") {
        changes_live({});
    }
    TEST_CASE("a queue is held at its target, and consumption that changes is followed") {
        holds_and_follows({});
    }
    TEST_CASE("backpressure slows both ends, drains, and returns to the target") {
        presses_back({});
    }
}

TEST_SUITE("guards that look ahead") {
    TEST_CASE("a queue is filled before the spike of the plan, and is as before after it") {
        fills_ahead({});
    }
}

TEST_SUITE("guards on a broker") {
    TEST_CASE("the same over RabbitMQ, with every bee a process") {
        const RabbitServer broker;
        SUBCASE("held and followed") {
            holds_and_follows({.broker = broker.url()});
        }
        SUBCASE("pressed back") {
            presses_back({.broker = broker.url()});
        }
    }
}

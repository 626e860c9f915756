#include "tests/simulation/guard/loop.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace hive;
using namespace hive::simulation;

namespace {

constexpr double consumptions[]{5, 10, 20, 40, 200, 1000, 4000};

// A guard over a target that is worth so many seconds of consumption.
Course steady_course(double consumption, double worth, double period) {
    const double target = std::max(5.0, std::round(consumption * worth));
    Course course;
    course.settings.enabled = true;
    course.settings.queue = "genToMod";
    course.settings.target_depth = static_cast<std::uint32_t>(target);
    course.settings.min_depth = static_cast<std::uint32_t>(target * 0.6);
    course.settings.max_depth = static_cast<std::uint32_t>(std::ceil(target * 1.4));
    course.settings.sample_period = Duration{static_cast<Duration::rep>(period * 1e9)};
    course.settings.adjust = {
        .max_increase_pct = 100, .max_decrease_pct = 50, .min_rate = 1, .max_rate = 20'000};
    course.configured = consumption / 2;
    course.length = period * 300;
    course.consumers = [consumption](double) { return consumption; };
    return course;
}

double period_of(const Course& course) {
    return guard::seconds(course.settings.sample_period);
}
Story::Span after(const Course& course, double samples) {
    return {period_of(course) * samples};
}
double part_inside(const Course& course, const Story& story, const Story::Span& span) {
    return story.part_between(course.settings.min_depth, course.settings.max_depth, span);
}

// Samples after `from` until the depth is within a tenth of the target for good.
double settled_after(const Course& course, const Story& story, const Story::Span& span) {
    double last = span.from;
    for (const Point& point : story.points) {
        if (point.at < span.from || point.at >= span.to) continue;
        if (std::abs(point.depth - point.target) > (0.1 * point.target) + 1) last = point.at;
    }
    return (last - span.from) / period_of(course);
}

// Chance moves a depth by more than a tenth of the target: nobody holds that.
bool above_the_noise(double consumption, double worth, double period) {
    const double pull = std::max(2.5 * period, 5 / consumption);
    const double reach = 2 * std::sqrt(1.3 * consumption * (pull + period));
    return reach < 0.1 * consumption * worth;
}

} // namespace

TEST_CASE("steady consumption: within a tenth of the target for 95 of 100 samples") {
    for (const double consumption : consumptions) {
        for (const double period : {0.05, 0.25, 1.0}) {
            for (const double worth : {0.4, 2.0, 10.0}) {
                // Of two items nobody keeps a tenth.
                if (consumption * worth < 20) continue;
                CAPTURE(consumption);
                CAPTURE(period);
                CAPTURE(worth);
                const Course course = steady_course(consumption, worth, period);
                const Story story = play(course);
                CHECK(story.part_within(0.1, after(course, 100)) >= 0.95);
                CHECK(part_inside(course, story, after(course, 60)) == 1);
            }
        }
    }
}

TEST_CASE("chance on both ends: the same wherever chance itself leaves room for it") {
    int looked_at = 0;
    for (const double consumption : consumptions) {
        for (const double period : {0.05, 0.25, 1.0}) {
            for (const double worth : {0.4, 2.0, 10.0}) {
                if (!above_the_noise(consumption, worth, period)) continue;
                ++looked_at;
                CAPTURE(consumption);
                CAPTURE(period);
                CAPTURE(worth);
                Course course = steady_course(consumption, worth, period);
                course.poisson = true;
                CHECK(play(course).part_within(0.1, after(course, 100)) >= 0.95);
                course.poisson = false;
                course.jitter = 0.2;
                CHECK(play(course).part_within(0.1, after(course, 100)) >= 0.95);
            }
        }
    }
    CHECK(looked_at >= 15);
}

TEST_CASE("consumption doubles and halves: settled again within ten samples") {
    for (const double consumption : consumptions) {
        for (const double period : {0.05, 0.25, 1.0}) {
            for (const double worth : {0.4, 2.0, 10.0}) {
                if (consumption * worth < 40) continue;
                CAPTURE(consumption);
                CAPTURE(period);
                CAPTURE(worth);
                Course course = steady_course(consumption, worth, period);
                const double up = 100 * period;
                const double down = 200 * period;
                course.consumers = [=](double t) {
                    return t >= up && t < down ? 2 * consumption : consumption;
                };
                const Story story = play(course);
                CHECK(settled_after(course, story, {up, down}) <= 10);
                CHECK(settled_after(course, story, {down}) <= 10);
            }
        }
    }
}

TEST_CASE("steps that are slow in one direction only do not overshoot") {
    for (const double depth : {0.0, 15'000.0}) {
        CAPTURE(depth);
        Course course = steady_course(500, 10, 0.25);
        course.settings.adjust.max_increase_pct = depth > 0 ? 4 : 30;
        course.settings.adjust.max_decrease_pct = depth > 0 ? 30 : 4;
        course.settings.min_depth = 4500;
        course.settings.max_depth = 5500;
        course.configured = 500;
        course.depth = depth;
        course.length = 200;
        const Story story = play(course);
        CHECK(part_inside(course, story, {150}) == 1);
        if (depth > 0) CHECK(story.lowest({1}) >= 4500);
        if (depth <= 0) CHECK(story.highest({1}) <= 5500);
    }
}

TEST_CASE("every window and every period holds, also when producers react late") {
    for (std::uint32_t window = 1; window <= 8; ++window) {
        for (const double period : {0.05, 0.2, 1.0, 5.0}) {
            for (const double late : {0.0, 0.5, 1.0}) {
                CAPTURE(window);
                CAPTURE(period);
                CAPTURE(late);
                Course course = steady_course(400, std::max(2.0, 2 * period), period);
                course.settings.window = window;
                course.actuation = late * period;
                const Story story = play(course);
                CHECK(story.part_within(0.1, after(course, 100)) >= 0.95);
                CHECK(part_inside(course, story, after(course, 60)) == 1);
            }
        }
    }
}

TEST_CASE("old, late and lost samples do not shake it") {
    for (const double consumption : {20.0, 400.0, 4000.0}) {
        CAPTURE(consumption);
        Course course = steady_course(consumption, 4, 0.5);
        course.late = 0.4;
        course.stale = 0.2;
        Random lost{9};
        course.silent = [&lost](double) { return lost.chance(0.2); };
        const Story story = play(course);
        CHECK(part_inside(course, story, after(course, 60)) == 1);
        CHECK(story.part_within(0.1, after(course, 100)) >= 0.95);
    }
}

TEST_CASE("silence of the depth: one warning, a frozen rate, one notice, and back") {
    Course course = steady_course(400, 4, 0.5);
    course.silent = [](double t) { return t > 60 && t < 90; };
    const Story story = play(course);
    CHECK(story.count("depth-missing") == 1);
    CHECK(story.count("depth-known") == 1);
    for (const Told& each : story.told) {
        if (each.at < 62 || each.at > 89.9) continue;
        CHECK_FALSE(std::holds_alternative<guard::SetRate>(each.command));
    }
    CHECK(part_inside(course, story, {60, 150}) == 1); // frozen at what the consumers take
}

TEST_CASE("a moderator that follows a sine is followed") {
    Course course = steady_course(500, 2, 0.25);
    course.length = 240;
    course.consumers = [](double t) {
        return 500 + (250 * std::sin(2 * std::numbers::pi * t / 60));
    };
    const Story story = play(course);
    CHECK(part_inside(course, story, {30}) == 1);
    CHECK(story.part_within(0.1, {30}) >= 0.95);
}

TEST_CASE("ahead of a spike the queue is fuller, and after it as before") {
    Course course = steady_course(400, 1, 0.5);
    course.settings.prefill = {
        .enabled = true, .lookahead = std::chrono::seconds{20}, .lift_pct = 20};
    course.spikes = {{TimePoint{std::chrono::seconds{80}}, std::chrono::seconds{10}}};
    course.consumers = [](double t) { return t >= 80 && t < 90 ? 800.0 : 400.0; };
    const Story lifted = play(course);
    CHECK(lifted.lowest({72, 79.9}) >= 0.95 * 480);
    CHECK(lifted.highest({72, 79.9}) <= course.settings.max_depth);
    CHECK(lifted.part_within(0.1, {100}) >= 0.95);
    course.settings.prefill.enabled = false;
    CHECK(lifted.lowest({80, 95}) > play(course).lowest({80, 95}));
}

TEST_CASE(
    "consumers that stall and return: the rate falls to its minimum and says so, then holds") {
    Course course = steady_course(400, 2, 0.5);
    course.settings.adjust.min_rate = 20;
    course.consumers = [](double t) { return t >= 60 && t < 90 ? 0.0 : 400.0; };
    const Story story = play(course);
    CHECK(story.says("min-rate", 60));
    CHECK(story.count("min-rate") == 1);
    CHECK(part_inside(course, story, {110}) == 1);
}

TEST_CASE("more consumption than the bound allows: it says so once, and does not wind up") {
    Course course = steady_course(5200, 1, 0.5);
    course.settings.adjust.max_rate = 5000;
    course.configured = 5000;
    course.depth = 5200;
    course.length = 200;
    course.consumers = [](double t) { return t < 100 ? 5200.0 : 3000.0; };
    const Story story = play(course);
    REQUIRE(story.count("max-rate") == 1);
    for (const Told& each : story.told) {
        if (const auto* note = std::get_if<guard::Note>(&each.command); note != nullptr) {
            if (note->code != "max-rate") continue;
            CHECK(note->text.starts_with(
                "the consumers take 5,200/s, more than maxRatePerSec 5,000"));
        }
    }
    CHECK(part_inside(course, story, {106}) == 1); // ten samples after there is room again
}

TEST_CASE("producers that cannot do what they are told do not spoil what comes after") {
    Course course = steady_course(1000, 2, 0.5);
    course.producers_max = 900;
    course.length = 300;
    course.settings.adjust.max_rate = 2000;
    course.consumers = [](double t) { return t < 150 ? 1000.0 : 500.0; };
    CHECK(part_inside(course, play(course), {170}) == 1);
}

TEST_CASE("a backpressure episode slows both ends, drains, and returns within the bracket") {
    for (const double period : {0.1, 0.5, 1.0}) {
        CAPTURE(period);
        Course course = steady_course(400, 3, period);
        course.settings.adjust.max_increase_pct = 20;
        course.settings.adjust.max_decrease_pct = 20;
        course.settings.adjust.min_rate = 20;
        course.settings.backpressure =
            guard::Backpressure{.queue = "modToProc", .high_depth = 2000, .recovery_depth = 500};
        course.length = 400;
        course.processors = [](double t) { return t >= 100 && t < 120 ? 100.0 : 600.0; };
        const Story story = play(course);
        bool pressed = false;
        bool slow = false;
        bool gentle = false;
        for (const Point& point : story.points) {
            pressed = pressed || point.phase == guard::Phase::backpressure;
            slow = slow || (point.phase == guard::Phase::backpressure && point.rate <= 200);
            gentle = gentle || point.factor <= 0.5;
        }
        CHECK(pressed);
        CHECK(slow);
        CHECK(gentle);
        CHECK(story.points.back().phase == guard::Phase::steady);
        CHECK(story.points.back().factor == 1);
        CHECK(story.points.back().behind < 500);
        CHECK(story.highest({100}) <= course.settings.max_depth);
        CHECK(story.part_within(0.1, {300}) >= 0.95);
    }
}

TEST_CASE("a recovery that a bound makes last for ever says so") {
    Course course = steady_course(400, 3, 0.5);
    course.settings.adjust.max_rate = 300;
    course.settings.backpressure =
        guard::Backpressure{.queue = "modToProc", .high_depth = 100, .recovery_depth = 50};
    course.depth = 100;
    course.length = 120;
    course.processors = [](double t) { return t < 5 ? 100.0 : 600.0; };
    const Story story = play(course);
    CHECK(story.points.back().phase == guard::Phase::recovery);
    CHECK(story.count("max-rate") == 1);
}

TEST_CASE("a target raised to the end of the bracket is told when it carries the depth over it") {
    Course course = steady_course(400, 1, 0.5);
    course.poisson = true;
    course.settings.prefill = {
        .enabled = true, .lookahead = std::chrono::seconds{40}, .lift_pct = 100};
    course.spikes = {{TimePoint{std::chrono::seconds{100}}, std::chrono::seconds{10}}};
    const Story story = play(course);
    CHECK(story.says("prefill-edge", 60));
    CHECK_FALSE(story.says("consumption-changed"));
    CHECK_FALSE(story.says("bracket-left"));
}

TEST_CASE("the literal rule of the plan is available, and does not hold") {
    Course course = steady_course(500, 0.4, 1);
    course.settings.adjust = {.min_rate = 1, .max_rate = 20'000};
    course.poisson = true;
    course.configured = 500;
    course.depth = 200;
    const double predictive = part_inside(course, play(course), after(course, 60));
    course.settings.adjust.strategy = guard::Strategy::stepwise;
    const double stepwise = part_inside(course, play(course), after(course, 60));
    CHECK(predictive > 0.9);
    CHECK(stepwise < 0.5);
}

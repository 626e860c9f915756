#include "pace/pattern.hpp"
#include "pace/shapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

Pattern day() {
    return {
        .base_rate = 40,
        .cycle = 100s,
        .segments = {
            {.id = "night", .mode = FlatMode{0.2}, .share = 30},
            {.id = "rise",
             .mode = RampMode{0.5, 2},
             .share = 20,
             .transition = Transition::linear,
             .transition_over = 5s},
            {.id = "noon",
             .mode = SinusMode{1, 3, 10s, 0s},
             .lasts = 30s,
             .mutators = {Noise{20, 1s, 7}, Cap{2.5}},
             .transition = Transition::smooth,
             .transition_over = 4s},
            {.id = "evening", .mode = DutyMode{1, 0.1, 1s, 1s}, .share = 20}}};
}

// The integral the slow way.
double summed(const Shape& shape, Duration from, Duration to) {
    constexpr int parts = 20'000;
    double sum = 0;
    for (int i = 0; i < parts; ++i)
        sum += shape.rate(from + (to - from) * (2 * i + 1) / (2 * parts));
    return sum / parts * seconds(to - from);
}

std::string refusal(const Pattern& pattern) {
    const auto shape = shape_of(pattern);
    return shape ? "accepted" : shape.error().detail;
}

} // namespace

TEST_CASE("the integral of a pattern is the area under its rate, piece by piece") {
    const Shape shape = *shape_of(day());
    for (Duration from = 0s; from < 200s; from += 5s) {
        CAPTURE(from.count());
        const double known = summed(shape, from, from + 5s);
        CHECK(
            shape.integral(from + 5s) - shape.integral(from) ==
            doctest::Approx(known).epsilon(1e-3));
    }
}

TEST_CASE("a normalised cycle has the base rate as its mean") {
    Pattern pattern = day();
    CHECK(shape_of(pattern)->cycle_items() != doctest::Approx(4'000));
    pattern.normalisation.enabled = true;
    CHECK(shape_of(pattern)->cycle_items() == doctest::Approx(4'000).epsilon(1e-12));
    CHECK(shape_of(pattern)->integral(1000s) == doctest::Approx(40'000).epsilon(1e-12));
}

TEST_CASE("a mean within the tolerance is left as it is") {
    Pattern pattern{
        .base_rate = 10,
        .segments = {{.mode = FlatMode{1.04}, .lasts = 10s}},
        .normalisation = {.enabled = true, .tolerance_pct = 5}};
    CHECK(shape_of(pattern)->rate(1s) == doctest::Approx(10.4));
    pattern.normalisation.tolerance_pct = 3;
    CHECK(shape_of(pattern)->rate(1s) == doctest::Approx(10));
}

TEST_CASE("a spike lifts its window in every cycle and nothing else") {
    Pattern pattern = day();
    const Shape plain = *shape_of(pattern);
    pattern.spikes = {{.at = 12s, .width = 3s, .lift_pct = 150}};
    const Shape spiked = *shape_of(pattern);
    for (const Duration at : {11'999ms, 12s + 0ms, 14'999ms, 15s + 0ms, 60s + 0ms, 113s + 0ms}) {
        const Duration in_cycle = at % 100s;
        const double factor = in_cycle >= 12s && in_cycle < 15s ? 2.5 : 1;
        CHECK(spiked.rate(at) == doctest::Approx(plain.rate(at) * factor).epsilon(1e-6));
    }
    CHECK(spiked.cycle_items() - plain.cycle_items() == doctest::Approx(3 * 8 * 1.5));
}

TEST_CASE("a transition starts where the last segment ended, a jump does not") {
    const Shape shape = *shape_of(day());
    CHECK(shape.rate(30s) == doctest::Approx(8));
    CHECK(shape.rate(35s) == doctest::Approx(40 * (0.5 + 1.5 * 0.25)));
    CHECK(shape.rate(80s) == doctest::Approx(40));
}

TEST_CASE("a cap holds and the same seed gives the same noise") {
    const Shape shape = *shape_of(day());
    const Shape again = *shape_of(day());
    Pattern other = day();
    std::get<Noise>(other.segments[2].mutators[0]).seed = 8;
    const Shape different = *shape_of(other);
    bool differs = false;
    for (Duration at = 50s; at < 80s; at += 10ms) {
        CHECK(shape.rate(at) <= 100 * (1 + 1e-6));
        CHECK(shape.rate(at) == again.rate(at));
        differs = differs || shape.rate(at) != different.rate(at);
    }
    CHECK(differs);
}

TEST_CASE("a pattern that runs a few times ends, and says which segment runs") {
    Pattern pattern = day();
    pattern.cycles = 2;
    const Shape shape = *shape_of(pattern);
    CHECK(shape.rate(199s) > 0);
    CHECK(shape.rate(200s) == 0);
    CHECK(shape.integral(1h) == doctest::Approx(2 * shape.cycle_items()));
    CHECK(segment_at(pattern, 0s) == 0);
    CHECK(segment_at(pattern, 49s) == 1);
    CHECK(segment_at(pattern, 179s) == 2);
    CHECK(segment_at(pattern, 199s) == 3);
    CHECK_FALSE(segment_at(pattern, 200s).has_value());
}

TEST_CASE("a broken pattern is refused with the place and what to do") {
    Pattern pattern = day();
    pattern.segments[1].share = 30;
    CHECK(refusal(pattern).find("segments fill 110 s of a cycle of 1m40s") == 0);
    pattern = day();
    pattern.segments[0].lasts = 1s;
    CHECK(refusal(pattern).find("segments[0].lasts and share: give exactly one") == 0);
    pattern = day();
    pattern.cycle = {};
    CHECK(refusal(pattern).find("segments[0].share needs the pattern") == 0);
    pattern = day();
    pattern.segments[3].mode = DutyMode{1, 0, 1ns, 1ns};
    CHECK(refusal(pattern).find("segments[3] has too many changes") == 0);
    pattern = day();
    pattern.segments[2].mutators = {Noise{101, 1s, 1}};
    CHECK(refusal(pattern).find("segments[2].noise.pct is 101") == 0);
    pattern = day();
    pattern.spikes = {{.at = 1s, .width = 1s, .lift_pct = -101}};
    CHECK(refusal(pattern).find("spikes[0].liftPct") == 0);
    pattern = {.base_rate = 1, .segments = {{.mode = FlatMode{0}, .lasts = 1s}}};
    pattern.normalisation.enabled = true;
    CHECK(refusal(pattern).find("normalisation: the whole cycle is at level 0") == 0);
    CHECK(refusal({.base_rate = 1}).find("segments: a pattern needs") == 0);
}

#include "pace/pattern.hpp"
#include "pace/shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

struct Known {
    const char* name;
    Shape shape;
    Duration at;
    double rate;
    double integral;
};

Pattern two_levels() {
    return {
        .base_rate = 100,
        .cycle = 10s,
        .segments = {{.mode = FlatMode{2}, .lasts = 4s}, {.mode = FlatMode{0.5}, .share = 60}}};
}

Pattern one(Segment segment) {
    segment.lasts = 10s;
    return {.base_rate = 10, .segments = {std::move(segment)}};
}

const double pi = std::numbers::pi;

// What the integral of a sine is, by the book.
double sine_integral(const Sine& sine, double t) {
    const double period = seconds(sine.period);
    const double turn = 2 * pi / period;
    const double phase = turn * seconds(sine.phase);
    const double amplitude = (sine.max - sine.min) / 2;
    return (sine.min + amplitude) * t -
           amplitude / turn * (std::cos(turn * t + phase) - std::cos(phase));
}

} // namespace

TEST_CASE("every shape has the rate and the integral that a pencil gives") {
    const Sine wave{.min = 0, .max = 100, .period = 60s};
    const Known rows[] = {
        {"constant at its start", *constant(5'000), 0s, 5'000, 0},
        {"constant", *constant(5'000), 20s, 5'000, 100'000},
        {"half a second", *constant(0.5), 3s, 0.5, 1.5},
        {"one in a thousand seconds", *constant(0.001), 1h, 0.001, 3.6},
        {"a million", *constant(1e6), 1h, 1e6, 3.6e9},
        {"zero", *constant(0), 1h, 0, 0},
        {"before the start", *constant(7), -1s, 7, 0},
        {"ramp half-way", *ramp({0, 100, 10s}), 5s, 50, 125},
        {"ramp at its end", *ramp({0, 100, 10s}), 10s, 100, 500},
        {"ramp held", *ramp({0, 100, 10s}), 20s, 100, 1'500},
        {"ramp down to nothing", *ramp({100, 0, 10s}), 30s, 0, 500},
        {"sine at its start", *sine(wave), 0s, 50, 0},
        {"sine at its crest", *sine(wave), 15s, 100, 750 + 50 * 60 / (2 * pi)},
        {"sine after one wave", *sine(wave), 60s, 50, 3'000},
        {"sine at its trough", *sine(wave), 45s, 0, 2'250 + 50 * 60 / (2 * pi)},
        {"sine by phase", *sine({0, 100, 60s, 15s}), 0s, 100, 0},
        {"steps", *steps({{10, 5s}, {20, 5s}}, After::hold), 7s, 20, 90},
        {"steps held", *steps({{10, 5s}, {20, 5s}}, After::hold), 20s, 20, 350},
        {"steps repeated", *steps({{10, 5s}, {20, 5s}}, After::repeat), 12s, 10, 170},
        {"steps stopped", *steps({{10, 5s}, {20, 5s}}, After::stop), 12s, 0, 150},
        {"pattern, first", *shape_of(two_levels()), 2s, 200, 400},
        {"pattern, second", *shape_of(two_levels()), 8s, 50, 1'000},
        {"pattern, again", *shape_of(two_levels()), 11s, 200, 1'300},
        {"ramp mode", *shape_of(one({.mode = RampMode{0, 2}})), 5s, 10, 25},
        {"sinus mode", *shape_of(one({.mode = SinusMode{0, 2, 10s, 0s}})), 10s - 1ns, 10, 100},
        {"duty on", *shape_of(one({.mode = DutyMode{1, 0, 2s, 3s}})), 6s, 10, 30},
        {"duty off", *shape_of(one({.mode = DutyMode{1, 0, 2s, 3s}})), 9s, 0, 40},
        {"capped ramp", *shape_of(one({.mode = RampMode{0, 2}, .mutators = {Cap{1}}})), 10s - 1ns,
         10, 75},
        {"burst inside", *shape_of(one({.mode = FlatMode{1}, .mutators = {Burst{5s, 1s, 100}}})),
         5'500ms, 20, 70},
        {"burst outside", *shape_of(one({.mode = FlatMode{1}, .mutators = {Burst{5s, 1s, 100}}})),
         4s, 10, 50},
    };
    for (const Known& row : rows) {
        CAPTURE(row.name);
        CHECK(row.shape.rate(row.at) == doctest::Approx(row.rate).epsilon(1e-7));
        CHECK(row.shape.integral(row.at) == doctest::Approx(row.integral).epsilon(1e-9));
    }
}

TEST_CASE("the integral of a sine is exact all along many waves") {
    const Sine wave{.min = 10, .max = 1e6, .period = 24h, .phase = 5h};
    const Shape shape = *sine(wave);
    for (Duration at = 0s; at < 240h; at += 1'234'567ms) {
        const double known = sine_integral(wave, seconds(at));
        CHECK(std::abs(shape.integral(at) - known) < 0.5 + known * 1e-12);
    }
}

TEST_CASE("the moment of a count is where the integral reaches it") {
    const Shape shapes[] = {
        *constant(0.3), *ramp({0, 50, 20s}), *sine({0, 80, 7s, 2s}), *shape_of(two_levels()),
        *steps({{0, 3s}, {40, 1s}, {0, 3s}}, After::repeat)};
    for (const Shape& shape : shapes) {
        Place near;
        for (int count = 1; count < 500; ++count) {
            const auto at = shape.when(count, near);
            REQUIRE(at.has_value());
            CHECK(shape.integral(from_seconds(*at)) == doctest::Approx(count).epsilon(1e-6));
        }
    }
}

TEST_CASE("moments are exact to the nanosecond at high rates, with steps of any size") {
    const Shape shapes[] = {*sine({0, 1e6, 100ms}), *ramp({0, 1e6, 200ms})};
    for (const Shape& shape : shapes) {
        for (const double step : {1.0, 0.37, 1.9, 40.0}) {
            Place near;
            for (double count = step; count < 50'000; count += step) {
                const auto at = shape.when(count, near);
                REQUIRE(at.has_value());
                // A nanosecond at this rate is a thousandth of an item.
                REQUIRE(std::abs(shape.integral(from_seconds(*at)) - count) < 0.0011);
            }
        }
    }
}

TEST_CASE("a count that is never reached has no moment") {
    Place near;
    CHECK_FALSE(constant(0)->when(1, near).has_value());
    CHECK_FALSE(steps({{0, 5s}}, After::repeat)->when(1, near).has_value());
    CHECK_FALSE(steps({{1, 5s}}, After::stop)->when(6, near).has_value());
    CHECK(steps({{1, 5s}}, After::stop)->when(5, near) == doctest::Approx(5));
    CHECK_FALSE(ramp({10, 0, 2s})->when(11, near).has_value());
}

TEST_CASE("a shape that makes no sense is refused and told why") {
    const auto detail = [](const Result<Shape>& shape) {
        return shape ? "" : shape.error().detail;
    };
    CHECK(detail(constant(-1)).find("from 0 to 100000000 per second") != std::string::npos);
    CHECK(detail(constant(std::nan(""))).find("the rate is nan") != std::string::npos);
    CHECK(detail(ramp({1, 2, 0s})).find("ramp.over is 0s") != std::string::npos);
    CHECK(detail(sine({5, 1, 1s})).find("swap them") != std::string::npos);
    CHECK(detail(steps({}, After::hold)).find("0 steps") != std::string::npos);
    CHECK(detail(steps({{1, 1s}, {1, -1s}}, After::hold)).find("steps[1].lasts") == 0);
}

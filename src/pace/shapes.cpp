#include "pace/shapes.hpp"

#include "kernel/duration.hpp"
#include "pace/pieces.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace hive::pace {
namespace {

constexpr std::size_t pieces_per_wave = 64;

Piece flat(double length, double rate) {
    return {.length = length, .rate = {rate, 0, 0, 0, 0}};
}

} // namespace

Status check_rate(double rate, std::string_view what) {
    if (rate >= 0 && rate <= rate_max) return {};
    return fail(
        Errc::invalid,
        fmt::format("{} is {}; a rate is from 0 to {:.0f} per second", what, rate, rate_max));
}

Status check_length(Duration length, std::string_view what) {
    if (length > Duration::zero() && length <= length_max) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "{} is {}; it must be longer than zero and at most 400 days", what,
                           length < Duration::zero() ? "negative" : format_duration(length)));
}

Result<Shape> constant(double rate) {
    if (auto checked = check_rate(rate, "the rate"); !checked) return fail(checked.error());
    return Shape{rate};
}

Result<Shape> ramp(const Ramp& ramp) {
    if (auto checked = check_rate(ramp.from, "ramp.from"); !checked) return fail(checked.error());
    if (auto checked = check_rate(ramp.to, "ramp.to"); !checked) return fail(checked.error());
    if (auto checked = check_length(ramp.over, "ramp.over"); !checked) return fail(checked.error());
    const Piece slope{.length = seconds(ramp.over), .rate = {ramp.from, ramp.to - ramp.from}};
    return Shape{Shape::Cycle{.pieces = {slope}, .cycles = 1, .after = ramp.to}};
}

Result<Shape> sine(const Sine& sine) {
    if (auto checked = check_rate(sine.min, "sine.min"); !checked) return fail(checked.error());
    if (auto checked = check_rate(sine.max, "sine.max"); !checked) return fail(checked.error());
    if (auto checked = check_length(sine.period, "sine.period"); !checked)
        return fail(checked.error());
    if (sine.max < sine.min) {
        return fail(
            Errc::invalid,
            fmt::format("sine.max {} is below sine.min {}; swap them", sine.max, sine.min));
    }
    const double period = seconds(sine.period);
    const double turn = 2 * std::numbers::pi / period;
    const double shift = std::fmod(seconds(sine.phase), period);
    const double amplitude = (sine.max - sine.min) / 2;
    std::vector<double> moments;
    for (std::size_t i = 0; i <= pieces_per_wave; ++i) {
        moments.push_back(period * static_cast<double>(i) / pieces_per_wave);
    }
    return Shape{Shape::Cycle{.pieces = fit_between(moments, [&](double t) {
                                  return sine.min + amplitude * (1 + std::sin(turn * (t + shift)));
                              })}};
}

Result<Shape> steps(const std::vector<Step>& steps, After after) {
    if (steps.empty() || steps.size() > pieces_max) {
        return fail(
            Errc::invalid,
            fmt::format("a stepped rate has {} steps; it takes 1 to {}", steps.size(), pieces_max));
    }
    Shape::Cycle cycle{.pieces = {}, .cycles = after == After::repeat ? 0U : 1U};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        if (auto checked = check_rate(step.rate, fmt::format("steps[{}].rate", i)); !checked)
            return fail(checked.error());
        if (auto checked = check_length(step.lasts, fmt::format("steps[{}].lasts", i)); !checked)
            return fail(checked.error());
        cycle.pieces.push_back(flat(seconds(step.lasts), step.rate));
    }
    if (after == After::hold) cycle.after = steps.back().rate;
    return Shape{std::move(cycle)};
}

} // namespace hive::pace

#pragma once

#include "kernel/result.hpp"
#include "pace/shape.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hive::pace {

// Rates are items per second, from 0 (stop) to `rate_max`.
Result<Shape> constant(double rate);

struct Ramp {
    double from = 0;
    double to = 0;
    Duration over{};
};
Result<Shape> ramp(const Ramp& ramp); // `to` holds afterwards

// min at the trough, max at the crest; starts half-way and rising, `phase` later in the wave.
struct Sine {
    double min = 0;
    double max = 0;
    Duration period{};
    Duration phase{};
};
Result<Shape> sine(const Sine& sine);

struct Step {
    double rate = 0;
    Duration lasts{};
};
enum class After : std::uint8_t { hold, repeat, stop };
Result<Shape> steps(const std::vector<Step>& steps, After after);

// For whoever reads a rate or a length from outside: `what` begins the error.
Status check_rate(double rate, std::string_view what);
Status check_length(Duration length, std::string_view what);

} // namespace hive::pace

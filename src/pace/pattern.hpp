#pragma once

#include "kernel/result.hpp"
#include "pace/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hive::pace {

// All levels of a pattern are multiples of its base rate: 1 is the base, 0 is silence.

struct FlatMode {
    double level = 1;
};
struct RampMode {
    double from = 1;
    double to = 1;
};
struct SinusMode {
    double min = 0;
    double max = 1;
    Duration period{};
    Duration phase{};
};
struct DutyMode { // `high` for `on`, then `low` for `off`, again and again
    double high = 1;
    double low = 0;
    Duration on{};
    Duration off{};
};
using Mode = std::variant<FlatMode, RampMode, SinusMode, DutyMode>;

struct Cap {
    double max = 1;
};
struct Burst { // every `every`, for `width`
    Duration every{};
    Duration width{};
    double lift_pct = 0;
};
struct Noise { // another level each `every`, at most `pct` away
    double pct = 0;
    Duration every = std::chrono::seconds{1};
    std::uint64_t seed = 1;
};
using Mutator = std::variant<Cap, Burst, Noise>;

enum class Transition : std::uint8_t { none, linear, smooth };

struct Segment {
    std::string id{};
    Mode mode{};
    std::optional<Duration> lasts{}; // exactly one of the two
    std::optional<double> share{};   // of the cycle, in percent
    std::vector<Mutator> mutators{}; // in this order
    // How it gets from where the one before ended to its own level, within `transition_over`.
    Transition transition = Transition::none;
    Duration transition_over{};
};

struct Spike {
    Duration at{}; // in each cycle
    Duration width{};
    double lift_pct = 0;
};

struct Normalisation {
    bool enabled = false;
    double tolerance_pct = 0; // a mean this close to the base rate is left alone
};

struct Pattern {
    double base_rate = 0;
    Duration cycle{}; // zero: as long as the segments, which then all say how long they last
    std::vector<Segment> segments{};
    std::uint64_t cycles = 0; // 0: for ever; afterwards nothing is due
    // Makes the mean of the cycle the base rate, before spikes, which come on top.
    Normalisation normalisation{};
    std::vector<Spike> spikes{};
};

// The error begins with the place, e.g. `segments[2].share`.
Result<Shape> shape_of(const Pattern& pattern);

// Which segment is running that long after the start; nothing once the last cycle is over.
std::optional<std::size_t> segment_at(const Pattern& pattern, Duration since_start);

} // namespace hive::pace

#pragma once

#include "kernel/fields.hpp"
#include "pace/pattern.hpp"
#include "pace/shape.hpp"
#include "worker/pacing_config.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace hive::bees {

enum class ModeType : std::uint8_t { pass_through, rate_per_sec, sine, ramp, steps, pattern };
std::span<const Named<ModeType>> names_of(ModeType);

struct SineConfig {
    double min_rate = 0;
    double max_rate = 1;
    double period_seconds = 60;
    double phase_seconds = 0;
    bool operator==(const SineConfig&) const = default;
};
void describe(FieldTable& fields, SineConfig& sine);

// How items are let through. `type` says which of the other members counts; the last three are
// read by `pace/shape_json`, as those of a scheduler are.
struct ModeConfig {
    ModeType type = ModeType::pass_through;
    double rate_per_sec = 0;
    double burst = 1;
    double admit_pct = 100; // of the rate
    SineConfig sine{};
    json::value ramp{};
    json::value steps{};
    json::value pattern{};
    worker::JitterInput jitter{};
    std::optional<std::uint64_t> seed{};
    bool operator==(const ModeConfig&) const = default;
};
void describe(FieldTable& fields, ModeConfig& mode);

std::string_view name_of(ModeType type);

// The rate over time, of which `admitPct` is let through. For pass-through it only has a meaning
// while less than everything is.
Result<pace::Shape> shape_of(const ModeConfig& mode);

// What the segments of the shape are called; nothing unless it is a pattern.
std::optional<pace::Pattern> pattern_of(const ModeConfig& mode);

} // namespace hive::bees

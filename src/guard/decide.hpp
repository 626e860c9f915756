#pragma once

#include "guard/settings.hpp"
#include "guard/state.hpp"

namespace hive::guard {

// The guard's every decision. Samples come once a `samplePeriod`, missing ones too.
Decision decide(State state, const Event& event, TimePoint now, const Settings& settings);

// Missing depths in a row after which the rate stays as it is.
inline constexpr unsigned missing_max = 3;
// The moderator is never slowed down further than to this part of its rate.
inline constexpr double factor_min = 0.1;

// The share of the depth that chance alone moves; a bracket narrower than this is not kept.
double reach_of_chance(const State& state, const Settings& settings);

} // namespace hive::guard

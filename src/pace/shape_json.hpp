#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "pace/pattern.hpp"
#include "pace/shape.hpp"

#include <string_view>

namespace hive::pace {

// The `mode` of a moderator or scheduler. `type` says which other member counts; durations are
// texts like "30s":
//   {"type":"rate-per-sec","ratePerSec":50}
//   {"type":"sine","sine":{"minRatePerSec":0,"maxRatePerSec":9,"periodSeconds":60}}
//   {"type":"ramp","ramp":{"from":0,"to":50,"over":"30s"}}
//   {"type":"steps","steps":{"after":"repeat","list":[{"ratePerSec":5,"lasts":"10s"}]}}
//   {"type":"pattern","pattern":{"baseRatePerSec":50,"segments":[...]}}
// The error begins with the member's path, e.g. `mode.pattern.segments[1].lasts`; `name` is what it
// begins with.
Result<Shape> read_shape(const json::value& mode, std::string_view name = "mode");

// `cycle`, `cycles`, `segments[]{id, lasts or share, mode flat|ramp|sinus|duty with its numbers,
// mutators[]{type cap|burst|noise}, transition none|linear|smooth, transitionOver}`,
// `normalisation{enabled, tolerancePct}`, `spikes[]{at, width, liftPct}`.
Result<Pattern> read_pattern(const json::value& pattern);

} // namespace hive::pace

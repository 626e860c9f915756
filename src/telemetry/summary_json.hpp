#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "telemetry/summary.hpp"

#include <string_view>

namespace hive::telemetry {

inline constexpr std::string_view summary_schema = "hive.summary/1";

// A series is written by column, {"windowSec":1,"ratePerSec":[...],...}: names once, not each
// second.
json::object to_json(const Summary& summary);

// Members that are not known are left alone: later versions add some. `calls`, `dimensions`,
// `series` and `findMax` may be missing. The error names the first member that is missing or wrong.
Result<Summary> summary_from_json(const json::value& document);

} // namespace hive::telemetry

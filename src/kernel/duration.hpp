#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive {

// ISO-8601 (`PT15S`, `P1DT2H`, `PT0.25S`) or the short form (`250ms`, `5s`, `2m`, `1h30m`, `1.5s`).
// Never negative; years and months are refused because their length is not fixed.
Result<Duration> parse_duration(std::string_view text);

// The short form with the fewest units that lose nothing: `1h30m`, `250ms`, `0s`.
std::string format_duration(Duration duration);

} // namespace hive

#pragma once

#include "kernel/result.hpp"
#include "telemetry/histogram.hpp"

#include <string>
#include <string_view>

namespace hive::telemetry {

// `h1;<min>;<max>;<sum>;<gap>*<count>,...`: only buckets with something in them, each by its
// distance to the one before. Fits into a JSON string as it is; some kilobytes for a usual run.
std::string to_text(const Histogram& histogram);

// Refuses what no histogram can have written; the error says at which byte and why.
Result<Histogram> parse_histogram(std::string_view text);

} // namespace hive::telemetry

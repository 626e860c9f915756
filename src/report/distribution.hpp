#pragma once

#include "report/run.hpp"
#include "telemetry/histogram.hpp"

#include <string>
#include <vector>

namespace hive::report {

// A histogram as bars for a chart: each 1/`per_octave` of a doubling wide, none empty at the ends.
std::vector<Bar> bars_of(const telemetry::Histogram& histogram, unsigned per_octave = 6);

// How many took how long, with the percentiles marked; latency on a logarithmic scale.
std::string distribution_figure(const std::vector<Bar>& bars, const telemetry::Latencies& marks);

// Latency by percentile, the rare ones drawn out: where the tail begins.
std::string percentile_figure(const std::vector<Bar>& bars);

} // namespace hive::report

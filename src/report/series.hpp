#pragma once

#include "report/run.hpp"

#include <vector>

namespace hive::report {

// The moments of a run as a summary keeps them: at most telemetry::series_points_max, by joining
// neighbours where there are more.
telemetry::Series series_of(const std::vector<Moment>& moments);

// What a summary's series tells of each moment: rates, failures, p50 and p99.
std::vector<Moment> moments_of(const telemetry::Series& series);

} // namespace hive::report

#pragma once

#include "telemetry/histogram.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hive::telemetry {

// A histogram in Prometheus' text format, in seconds: `<name>_bucket{<labels>,le="0.005"} 12` for
// each bound, then `_sum` and `_count`. `labels` is empty or `call="login",status="200"`, escaped
// by whoever made it. A bound counts what is at most 0.2 % above it as well.
void append_prometheus(
    std::string& out, std::string_view name, std::string_view labels, const Histogram& histogram);

// 50 microseconds to 60 seconds.
std::span<const double> prometheus_bounds() noexcept;

} // namespace hive::telemetry

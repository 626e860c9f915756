#include "telemetry/summary.hpp"

#include <cmath>

namespace hive::telemetry {
namespace {

// To the nanosecond: more digits would only be noise in a document.
double microseconds(double ns) {
    return std::round(ns) / 1'000;
}

} // namespace

Latencies latencies_of(const Histogram& histogram) {
    return {
        .p50 = microseconds(histogram.percentile_ns(50)),
        .p90 = microseconds(histogram.percentile_ns(90)),
        .p95 = microseconds(histogram.percentile_ns(95)),
        .p99 = microseconds(histogram.percentile_ns(99)),
        .p999 = microseconds(histogram.percentile_ns(99.9)),
        .max = microseconds(static_cast<double>(histogram.max_ns())),
        .mean = microseconds(histogram.mean_ns())};
}

} // namespace hive::telemetry

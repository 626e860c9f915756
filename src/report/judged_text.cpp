#include "report/judged_text.hpp"

#include "report/units.hpp"
#include "telemetry/threshold.hpp"

#include <fmt/format.h>

namespace hive::report {

std::string value_text(const telemetry::Summary::Judged& judged) {
    using telemetry::Metric;
    if (!judged.value) return "not measured";
    const double value = *judged.value;
    const auto threshold = telemetry::parse_threshold(judged.expr);
    if (!threshold) return number_text(value); // written by a later version
    switch (threshold->metric) {
    case Metric::p50:
    case Metric::p90:
    case Metric::p95:
    case Metric::p99:
    case Metric::p999:
    case Metric::max:
    case Metric::mean:
    case Metric::max_lag: return micros_text(value);
    case Metric::error_rate:
    case Metric::success_rate: return share_text(value);
    case Metric::rate: return rate_text(value);
    case Metric::failed:
    case Metric::total:
    case Metric::planned:
    case Metric::sent:
    case Metric::dropped: return number_text(value);
    }
    return number_text(value);
}

std::string found_text(const telemetry::Summary::FindMax& found) {
    if (!found.rate_per_sec && !found.too_much_per_sec) return "The search did not come to an end.";
    if (!found.rate_per_sec) {
        return fmt::format(
            "No rate holds: even {} is too much.", rate_text(*found.too_much_per_sec));
    }
    if (!found.too_much_per_sec) {
        return fmt::format(
            "{} holds, and nothing higher was tried.", rate_text(*found.rate_per_sec));
    }
    return fmt::format(
        "{} holds, {} does not.", rate_text(*found.rate_per_sec),
        rate_text(*found.too_much_per_sec));
}

} // namespace hive::report

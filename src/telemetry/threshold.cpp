#include "telemetry/threshold.hpp"

namespace hive::telemetry {
namespace {

double latency(Metric metric, const Latencies& l) {
    switch (metric) {
    case Metric::p50: return l.p50;
    case Metric::p90: return l.p90;
    case Metric::p95: return l.p95;
    case Metric::p99: return l.p99;
    case Metric::p999: return l.p999;
    case Metric::max: return l.max;
    default: return l.mean;
    }
}

struct Measured {
    std::uint64_t total = 0;
    std::uint64_t failed = 0;
    double rate = 0;
    const Latencies& latencies;
};

std::optional<double> value_in(const Threshold& threshold, const Measured& m, const Summary& s) {
    const double total = static_cast<double>(m.total);
    const double failed = static_cast<double>(m.failed);
    switch (threshold.metric) {
    case Metric::p50:
    case Metric::p90:
    case Metric::p95:
    case Metric::p99:
    case Metric::p999:
    case Metric::max:
    case Metric::mean:
        if (m.total == 0) return std::nullopt;
        return latency(threshold.metric, m.latencies);
    case Metric::error_rate:
        if (m.total == 0) return std::nullopt;
        return failed / total;
    case Metric::success_rate:
        if (m.total == 0) return std::nullopt;
        return 1 - failed / total;
    case Metric::failed: return failed;
    case Metric::total: return total;
    case Metric::rate: return m.rate;
    case Metric::planned: return static_cast<double>(s.load.planned);
    case Metric::sent: return static_cast<double>(s.load.sent);
    case Metric::dropped: return static_cast<double>(s.load.dropped);
    case Metric::max_lag: return s.load.max_schedule_lag_us;
    }
    return std::nullopt;
}

bool holds(Comparison comparison, double value, double limit) {
    switch (comparison) {
    case Comparison::less: return value < limit;
    case Comparison::at_most: return value <= limit;
    case Comparison::greater: return value > limit;
    case Comparison::at_least: return value >= limit;
    case Comparison::equal: return value == limit;
    case Comparison::unequal: return value != limit;
    }
    return false;
}

} // namespace

bool judges_failures(Metric metric) noexcept {
    return metric == Metric::error_rate || metric == Metric::success_rate ||
           metric == Metric::failed;
}

std::optional<double> value_of(const Threshold& threshold, const Summary& summary) {
    if (!threshold.call && !threshold.dimension) {
        const auto& all = threshold.from_due ? summary.latency_from_due_us : summary.latency_us;
        const auto& r = summary.requests;
        return value_in(threshold, {r.total, r.failed, r.rate_per_sec, all}, summary);
    }
    const auto& parts = threshold.call ? summary.calls : summary.dimensions;
    const auto found = parts.find(threshold.call ? *threshold.call : *threshold.dimension);
    if (found == parts.end()) return std::nullopt;
    const Summary::Call& call = found->second;
    const double rate =
        summary.duration_sec > 0 ? static_cast<double>(call.total) / summary.duration_sec : 0;
    const auto& own = threshold.from_due ? call.latency_from_due_us : call.latency_us;
    return value_in(threshold, {call.total, call.failed, rate, own}, summary);
}

Summary::Judged judge(const Threshold& threshold, const Summary& summary) {
    const auto value = value_of(threshold, summary);
    return {
        .expr = threshold.expr,
        .value = value,
        .ok = value && holds(threshold.comparison, *value, threshold.limit)};
}

} // namespace hive::telemetry

#include "report/series.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace hive::report {
namespace {

// Digits that noise does not reach; they make the document several times as long.
double rounded(double value) {
    return std::round(value * 10) / 10;
}

// Percentiles of several windows cannot be joined exactly: the mean, by how much was done in each.
telemetry::SeriesPoint joined(std::span<const Moment> moments) {
    telemetry::SeriesPoint out;
    double done = 0;
    double p50 = 0;
    double p99 = 0;
    for (const Moment& m : moments) {
        out.planned_per_sec += m.planned_per_sec;
        out.failed_per_sec += m.failed_per_sec;
        done += m.done_per_sec;
        p50 += m.latency_us.p50 * m.done_per_sec;
        p99 += m.latency_us.p99 * m.done_per_sec;
    }
    const auto count = static_cast<double>(moments.size());
    out.planned_per_sec = rounded(out.planned_per_sec / count);
    out.failed_per_sec = rounded(out.failed_per_sec / count);
    out.done_per_sec = rounded(done / count);
    out.p50_us = done > 0 ? rounded(p50 / done) : 0;
    out.p99_us = done > 0 ? rounded(p99 / done) : 0;
    return out;
}

} // namespace

telemetry::Series series_of(const std::vector<Moment>& moments) {
    if (moments.empty()) return {};
    const std::size_t each =
        (moments.size() + telemetry::series_points_max - 1) / telemetry::series_points_max;
    telemetry::Series series{.window_sec = moments.front().window_sec * static_cast<double>(each)};
    const std::span<const Moment> all{moments};
    for (std::size_t at = 0; at < all.size(); at += each)
        series.points.push_back(joined(all.subspan(at, std::min(each, all.size() - at))));
    return series;
}

std::vector<Moment> moments_of(const telemetry::Series& series) {
    std::vector<Moment> moments;
    for (const telemetry::SeriesPoint& point : series.points) {
        Moment m{
            .at_sec = series.window_sec * static_cast<double>(moments.size() + 1),
            .window_sec = series.window_sec,
            .planned_per_sec = point.planned_per_sec,
            .sent_per_sec = point.done_per_sec,
            .done_per_sec = point.done_per_sec,
            .failed_per_sec = point.failed_per_sec};
        m.latency_us.p50 = point.p50_us;
        m.latency_us.p99 = point.p99_us;
        moments.push_back(std::move(m));
    }
    return moments;
}

} // namespace hive::report

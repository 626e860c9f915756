#include "telemetry/prometheus.hpp"

#include "kernel/append_format.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::telemetry {
namespace {

constexpr std::array bounds{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                            0.01,    0.025,  0.05,    0.1,    0.25,  0.5,    1.0,
                            2.5,     5.0,    10.0,    30.0,   60.0};

} // namespace

std::span<const double> prometheus_bounds() noexcept {
    return bounds;
}

void append_prometheus(
    std::string& out, std::string_view name, std::string_view labels, const Histogram& histogram) {
    const std::string_view comma = labels.empty() ? "" : ",";
    for (const double bound : bounds) {
        const auto ns = static_cast<std::uint64_t>(bound * 1e9);
        append_format(
            out, "{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, bound,
            histogram.count_up_to(ns));
    }
    append_format(out, "{}_bucket{{{}{}le=\"+Inf\"}} {}\n", name, labels, comma, histogram.count());
    const std::string shown = labels.empty() ? "" : fmt::format("{{{}}}", labels);
    append_format(
        out, "{}_sum{} {}\n{}_count{} {}\n", name, shown,
        static_cast<double>(histogram.sum_ns()) * 1e-9, name, shown, histogram.count());
}

} // namespace hive::telemetry

#pragma once

#include "kernel/result.hpp"
#include "telemetry/summary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hive::telemetry {

enum class Metric : std::uint8_t {
    p50,
    p90,
    p95,
    p99,
    p999,
    max,
    mean,
    error_rate,
    success_rate,
    failed,
    total,
    rate,
    planned,
    sent,
    dropped,
    max_lag,
};
enum class Comparison : std::uint8_t { less, at_most, greater, at_least, equal, unequal };

// `p99 < 50ms`, `from_due.p99 < 100ms`, `p95{call=login} < 20ms`, `p95{dimension.tenant=gold} <
// 50ms`, `error_rate < 0.1%`, `rate > 4900/s`, `failed == 0`; with `abort` at the end a run that
// breaks it need not go on.
struct Threshold {
    std::string expr{}; // as written, without spaces around it
    Metric metric = Metric::p99;
    bool from_due = false;
    std::optional<std::string> call{};
    std::optional<std::string> dimension{}; // `tenant=gold`
    Comparison comparison = Comparison::less;
    double limit = 0; // microseconds, a share of 1, per second, or a count
    bool abort = false;

    bool operator==(const Threshold&) const = default;
};

// Whether it says how many calls may fail; others are only about those that were made.
bool judges_failures(Metric metric) noexcept;

// The error shows the place: "column 5: expected a comparison ...".
Result<Threshold> parse_threshold(std::string_view text);

// What the summary says; nothing when it was not measured, e.g. a percentile without requests.
std::optional<double> value_of(const Threshold& threshold, const Summary& summary);

// A value that was not measured keeps no promise.
Summary::Judged judge(const Threshold& threshold, const Summary& summary);

} // namespace hive::telemetry

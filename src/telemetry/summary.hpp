#pragma once

#include "kernel/clock.hpp"
#include "telemetry/histogram.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hive::telemetry {

// Microseconds.
struct Latencies {
    double p50 = 0;
    double p90 = 0;
    double p95 = 0;
    double p99 = 0;
    double p999 = 0;
    double max = 0;
    double mean = 0;

    bool operator==(const Latencies&) const = default;
};
Latencies latencies_of(const Histogram& histogram);

// How a run went, in windows of the same length from its start to its end.
inline constexpr std::size_t series_points_max = 3'600;
struct SeriesPoint {
    double planned_per_sec = 0;
    double done_per_sec = 0;
    double failed_per_sec = 0;
    double p50_us = 0;
    double p99_us = 0;

    bool operator==(const SeriesPoint&) const = default;
};
struct Series {
    double window_sec = 1;
    std::vector<SeriesPoint> points{};

    bool operator==(const Series&) const = default;
};

// What one run was, as `--summary` writes it. Later versions only add.
struct Summary {
    struct Load {
        std::uint64_t planned = 0; // due times
        std::uint64_t sent = 0;
        std::uint64_t dropped = 0;
        double rate_per_sec = 0;
        double max_schedule_lag_us = 0;
        bool operator==(const Load&) const = default;
    };
    struct Requests {
        std::uint64_t total = 0;
        std::uint64_t failed = 0;
        double rate_per_sec = 0;
        std::map<std::string, std::uint64_t> by_status{};
        bool operator==(const Requests&) const = default;
    };
    struct Bytes {
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        bool operator==(const Bytes&) const = default;
    };
    struct Queue {
        std::uint64_t max_depth = 0;
        std::uint64_t end_depth = 0;
        bool operator==(const Queue&) const = default;
    };
    struct Bee {
        std::string role{};
        std::string instance{};
        std::uint64_t processed = 0;
        std::uint64_t failed = 0;
        bool operator==(const Bee&) const = default;
    };
    struct Judged { // a threshold and how it went
        std::string expr{};
        std::optional<double> value{}; // nothing was measured
        bool ok = false;
        bool operator==(const Judged&) const = default;
    };
    struct Process {
        double cpu_sec = 0;
        std::uint64_t peak_rss_bytes = 0;
        bool operator==(const Process&) const = default;
    };
    struct Call { // the requests of one call id, or of one value of a dimension
        std::uint64_t total = 0;
        std::uint64_t failed = 0;
        Latencies latency_us{};
        Latencies latency_from_due_us{};
        // Several have measured it: a percentile is the largest of theirs, the true one is not
        // above it.
        bool upper_bound = false;
        bool operator==(const Call&) const = default;
    };
    struct RateStep { // one try of a search for the highest rate
        double rate_per_sec = 0;
        double achieved_per_sec = 0;
        double p50_us = 0;
        double p99_us = 0;
        double error_rate = 0;
        bool ok = false;
        std::string broken{}; // what did not hold
        bool operator==(const RateStep&) const = default;
    };
    struct FindMax {
        std::optional<double> rate_per_sec{};     // the highest that held; none did
        std::optional<double> too_much_per_sec{}; // the lowest that did not, twice
        std::vector<RateStep> steps{};            // in the order they were tried
        bool operator==(const FindMax&) const = default;
    };

    std::string scenario{};
    std::string swarm_id{};
    Timestamp started_at{};
    double duration_sec = 0;
    Load load{};
    Requests requests{};
    Latencies latency_us{};
    Latencies latency_from_due_us{};
    Bytes bytes{};
    std::map<std::string, Queue> queues{};
    std::vector<Bee> bees{};
    std::vector<Judged> thresholds{};
    Process process{};
    std::map<std::string, Call> calls{};
    std::map<std::string, Call> dimensions{}; // by `<name>=<value>`; not written when empty
    Series series{};                          // not written when it is empty
    std::optional<FindMax> find_max{};        // of a search; the rest is the run at its result

    bool operator==(const Summary&) const = default;
};

} // namespace hive::telemetry

#pragma once

#include "run/sight.hpp"
#include "telemetry/histogram.hpp"
#include "telemetry/summary.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace hive::run {

// What all bees of a swarm have done since they began.
struct Totals {
    std::uint64_t sent = 0; // by those that make items
    std::uint64_t dropped = 0;
    double planned_per_sec = 0; // now; 0 when there is no plan but to be fast
    double lag_max_us = 0;

    bool measured = false;  // somebody measures calls at all
    std::uint64_t done = 0; // calls, failed ones among them
    std::uint64_t failed = 0;
    telemetry::Histogram latency{};
    telemetry::Histogram from_due{};
    std::map<std::string, std::uint64_t> by_status{}; // or class of error
    std::map<std::string, telemetry::Summary::Call> calls{};
    std::map<std::string, telemetry::Summary::Call> dimensions{}; // by `<name>=<value>`
    telemetry::Summary::Bytes bytes{};
};
Totals totals_of(const Sight& sight);

// A status that is no failure, as opposed to an error status of HTTP or a class of errors; TCP has
// the status 0 for whatever was answered.
bool is_fine(std::string_view status);

} // namespace hive::run

#pragma once

#include "bees/postprocessor/measure.hpp"
#include "kernel/json.hpp"
#include "telemetry/metrics_board.hpp"

#include <string_view>

namespace hive::bees {

// What a status says of it. Nothing beyond the counts while there was no call.
void report(const Measure& measure, json::object& into);

// The histograms of all calls themselves, as text that `telemetry::parse_histogram` reads.
void share(const Measure& measure, json::object& into);

// What one bee has measured.
struct Measured {
    const Measure& measure;
    std::string_view swarm;
    std::string_view role;
    std::string_view instance;
};

// All of it for Prometheus, times in seconds.
void write_metrics(telemetry::MetricsPage& metrics, const Measured& bee);

} // namespace hive::bees

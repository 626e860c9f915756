#pragma once

#include "controller/guard_post.hpp"
#include "kernel/json.hpp"
#include "telemetry/metrics_board.hpp"

#include <span>
#include <string>
#include <vector>

namespace hive::controller {

// What metrics say of a guard.
struct GuardFigures {
    std::string queue{};
    double depth = 0;
    double target = 0;
    double rate = 0;
    int state = 0;
};

GuardFigures figures_of(const GuardPost& post);

// Of `bufferGuards` in the context of a controller's status: for swarms that live elsewhere.
std::vector<GuardFigures> figures_in(const json::object& context);

// `buffer_guard_*`, labelled by swarm and guard.
void write_figures(
    telemetry::MetricsPage& page, const std::string& swarm, std::span<const GuardFigures> figures);

} // namespace hive::controller

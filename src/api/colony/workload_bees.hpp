#pragma once

#include "api/rest/swarm_court.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::rest {

// A bee of a running swarm, as its controller last told the queen. It is shown, never stored: it
// says how it is every few seconds.
struct WorkloadBee {
    std::string instance;
    std::string role;
    std::string swarm;
    std::string health; // healthy, stale, unknown
    bool enabled = false;
    double tps = 0;
};

// By instance. `court` may be null: there are no swarms here.
std::vector<WorkloadBee> workload_bees(const SwarmCourt* court);

json::object to_json(const WorkloadBee& bee);
json::object workload_bee_schema();

} // namespace hive::rest

#pragma once

#include "kernel/id.hpp"

#include <string>
#include <vector>

namespace hive::wire {

// The keys that bind each party's control queue to the control exchange. Nobody listens to more:
// the fan-in of the orchestrator must not grow with the number of bees.
std::vector<std::string> orchestrator_bindings();
std::vector<std::string> controller_bindings(const SwarmId& swarm, const InstanceId& instance);
std::vector<std::string>
worker_bindings(const SwarmId& swarm, const Role& role, const InstanceId& instance);

} // namespace hive::wire

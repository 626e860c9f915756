#pragma once

#include "bus/layout.hpp"
#include "controller/template.hpp"
#include "kernel/json.hpp"

#include <string>
#include <vector>

namespace hive::controller {

// The work objects of a swarm. Only its controller declares them.
bus::Layout work_layout(const SwarmId& swarm, const Template& plan);

// Everything on the broker that goes with the bees, in the order of removal.
struct BrokerObjects {
    std::vector<std::string> queues{};
    std::vector<std::string> exchanges{};
};
BrokerObjects objects_of(const SwarmId& swarm, const Template& plan);

std::vector<std::string> work_queues(const SwarmId& swarm, const Template& plan); // without dead

// Which queue carries what leaves one port and arrives at another: `context.bindings` of a status.
// An edge of the scenario keeps its id and selector; without edges a queue is one.
json::object runtime_bindings(const SwarmId& swarm, const Template& plan);

} // namespace hive::controller

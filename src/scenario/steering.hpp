#pragma once

#include "kernel/json.hpp"
#include "scenario/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace hive::scenario {

// What stands against a guard in this swarm; `code` is that of a finding.
struct SteeringProblem {
    std::string code;
    std::string message;
};

// Finds out whose rates the guards steer, and says so in each of them: every bee that fills the
// guarded queue at a rate. `configs` are those of the bees, with everything put in. What is wrong
// is told for each guard in its place of the result.
std::vector<std::vector<SteeringProblem>> find_producers(
    std::span<Guard> guards, std::span<const Bee> bees, std::span<const json::object> configs);

} // namespace hive::scenario

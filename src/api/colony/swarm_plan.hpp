#pragma once

#include "api/rest/command_desk.hpp"
#include "kernel/json.hpp"

#include <string>
#include <vector>

namespace hive::rest {

// What the plan of a swarm will do to it, for rules and for those who decide about its start.
struct Planned {
    json::array steps{};             // when, to whom, what; the first of many
    std::vector<std::string> acts{}; // as rules call them: `swarm.config`, `swarm.stop`
};

// By the plan that a creation brings along, or by that of the swarm which is started. Nothing for
// other commands. Without a court only what the order itself says is known.
Planned
planned_by(const orchestrator::Queen::Ask& ask, const Order& order, const SwarmCourt* court);

} // namespace hive::rest

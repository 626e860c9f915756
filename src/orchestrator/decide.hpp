#pragma once

#include "orchestrator/state.hpp"

#include <vector>

namespace hive::orchestrator {

// The queen's every decision: what people ask, what controllers report and what the runtime answers
// come in; what is to be stored, sent, launched and removed goes out, in this order.
Decision decide(State state, const Event& event, Moment moment, const Settings& settings = {});

// What may sensibly be asked of the swarm as it is; the words of a refusal and of a menu. Nothing
// that is listed here is refused.
std::vector<wire::Command> allowed_actions(const Swarm& swarm);

} // namespace hive::orchestrator

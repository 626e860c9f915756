#pragma once

#include "api/colony/workplace.hpp"
#include "colony/approvals/approval.hpp"

namespace hive::rest {

// Does what a request held back, or takes back what it held in review, in the unit of its decision.
// Swarm commands stay pending: SwarmCourier brings them to the orchestrator. When the act is
// refused the unit has to be undone, and the refusal written down in another one.
colony::Outcome<void> carry_out(Workplace& place, colony::approvals::Approval& approval);

// Did the act itself fail? Otherwise it is the store, and the act may succeed later.
bool is_of_the_act(const colony::Refusal& refusal);

} // namespace hive::rest

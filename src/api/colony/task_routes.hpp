#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

std::vector<api::Route> task_routes(const SessionParts& sessions, ColonyParts& colony);

// Leases that lapse and tasks whose time has come.
Chore task_chore(const HiveId& hive, ColonyParts& colony);

} // namespace hive::rest

#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

// Files and the colony: what is in step, and a pass when somebody asks for one.
std::vector<api::Route> sync_routes(const SessionParts& sessions, ColonyParts& colony);
void add_sync_schemas(json::object& schemas);

// Versions of files that have been out of use for long.
Chore sync_chore(const HiveId& hive, ColonyParts& colony);

} // namespace hive::rest

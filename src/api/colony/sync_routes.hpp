#pragma once

#include "api/colony/workplace.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

// Files and the colony: what is in step, and a pass when somebody asks for one.
std::vector<api::Route> sync_routes(const SessionParts& sessions, ColonyParts& colony);
void add_sync_schemas(json::object& schemas);

} // namespace hive::rest

#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/hive_server.hpp"

namespace hive::rest {

// The colony's routes, schemas and chores. The parts outlive the server.
void offer_colony(const HiveId& hive, ColonyParts& colony, HiveParts& parts);

} // namespace hive::rest

#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

std::vector<api::Route> bee_routes(const SessionParts& sessions, ColonyParts& colony);

// Alarms about bees that have not been heard of.
Chore bee_chore(const HiveId& hive, ColonyParts& colony);

void add_bee_schemas(json::object& schemas);

} // namespace hive::rest

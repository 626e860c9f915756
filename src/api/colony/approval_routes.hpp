#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

std::vector<api::Route> approval_routes(const SessionParts& sessions, ColonyParts& colony);
std::vector<api::Route> approval_rule_routes(const SessionParts& sessions, ColonyParts& colony);

// Ends or passes on what nobody decided in time.
Chore approval_chore(const HiveId& hive, ColonyParts& colony);

// Approval, ApprovalRule, ... as routes refer to them.
void add_approval_schemas(json::object& schemas);
json::object example_approval();
json::object example_rule();

} // namespace hive::rest

#pragma once

#include "api/colony/workplace.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

std::vector<api::Route> cost_routes(const SessionParts& sessions, ColonyParts& colony);
std::vector<api::Route> price_routes(const SessionParts& sessions, ColonyParts& colony);
std::vector<api::Route> budget_routes(const SessionParts& sessions, ColonyParts& colony);

// Usage, Price, Budget, ... as routes refer to them.
void add_cost_schemas(json::object& schemas);
json::object example_usage();
json::object example_price();
json::object example_budget();

} // namespace hive::rest

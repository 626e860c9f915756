#pragma once

#include "api/event_socket.hpp"
#include "api/rest/scenario_desk.hpp"
#include "api/rest/session_routes.hpp"
#include "api/route.hpp"

#include <functional>
#include <vector>

namespace hive::rest {

struct ScenarioParts {
    scenario::Shelf& shelf; // outlives the server
    RenderSample render;
};

// For HiveParts::more: the scenarios of a server, their files, validation, trying templates out;
// and what its bees can be told.
std::function<std::vector<api::Route>(const SessionParts&)> scenario_routes(ScenarioParts parts);

// For HiveParts::schemas.
void add_scenario_schemas(json::object& schemas);

// For HiveParts::snapshots: all scenarios, as the topic `scenario` begins.
api::SnapshotSource scenario_snapshot(scenario::Shelf& shelf);

} // namespace hive::rest

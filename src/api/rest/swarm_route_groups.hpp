#pragma once

#include "api/cursor.hpp"
#include "api/rest/command_desk.hpp"
#include "api/rest/run_book.hpp"
#include "api/rest/scenario_orders.hpp"
#include "api/rest/tap_desk.hpp"
#include "api/route.hpp"

#include <memory>
#include <vector>

namespace hive::rest {

// The parts of swarm_routes(); nobody else includes this. Each adds its routes.
using Routes = std::vector<api::Route>;
using Commands = std::shared_ptr<const CommandDesk>;

void add_swarm_command_routes(Routes& routes, const Commands& commands, const ReadSwarmOrder& read);
void add_component_routes(Routes& routes, const Commands& commands);
void add_swarm_manager_routes(Routes& routes, const Commands& commands);
void add_control_plane_routes(Routes& routes, const Commands& commands);
void add_journal_routes(
    Routes& routes, Transactions& transactions, const api::CursorCodec& cursors);
void add_run_routes(
    Routes& routes, Transactions& transactions, const api::CursorCodec& cursors,
    const RunBook& book);
void add_tap_routes(Routes& routes, TapDesk& taps, const Commands& commands);

// A swarm that is there and not removed; Errc::not_found.
Result<orchestrator::SwarmReportPtr> present(const SwarmCourt& court, std::string_view id);

} // namespace hive::rest

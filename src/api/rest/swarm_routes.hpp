#pragma once

#include "api/event_socket.hpp"
#include "api/rest/command_gate.hpp"
#include "api/rest/run_book.hpp"
#include "api/rest/scenario_orders.hpp"
#include "api/rest/session_routes.hpp"
#include "api/rest/swarm_court.hpp"
#include "api/rest/tap_desk.hpp"
#include "api/route.hpp"

#include <functional>
#include <vector>

namespace hive::rest {

struct SwarmRouteParts { // all outlive the server
    SwarmCourt& court;
    TapDesk& taps;
    const RunBook& book;
    ReadSwarmOrder read_order = template_order;
    CommandGate* gate = nullptr; // none: every command may go
};

// For HiveParts::more: swarms, their commands, components, journal, runs, taps, and the control
// plane's schemas.
std::function<std::vector<api::Route>(const SessionParts&)> swarm_routes(SwarmRouteParts parts);

// For HiveParts::snapshots: all swarms, at most a thousand, as the topic `swarm` begins.
api::SnapshotSource swarm_snapshot(SwarmCourt& court, const Clock& clock);

} // namespace hive::rest

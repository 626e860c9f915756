#pragma once

#include "api/rest/command_desk.hpp"

#include <string>
#include <string_view>

namespace hive::rest {

// A command that waits to be allowed. Attempts and askers are filled in when it goes.
json::object to_stored(const Order& order);
Result<Order> order_from_stored(const json::value& value);

// What an ask would do, as rules call it: `swarm.start`; and to which swarm.
std::string_view act_of(const orchestrator::Queen::Ask& ask);
std::string swarm_of(const orchestrator::Queen::Ask& ask);

// With ids of its own, in the name of whoever asked.
void sign(orchestrator::Queen::Ask& ask, wire::Attempt attempt, std::string who);

} // namespace hive::rest

#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

std::vector<api::Route> channel_routes(const SessionParts& sessions, ColonyParts& colony);

// Says once of a message that nobody acknowledged it in time.
Chore channel_chore(const HiveId& hive, ColonyParts& colony);

// Message, NewMessage, ... as routes refer to them.
void add_channel_schemas(json::object& schemas);
api::Content message_content();

} // namespace hive::rest

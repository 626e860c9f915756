#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "orchestrator/state.hpp"

namespace hive::orchestrator {

// What of a swarm outlives the orchestrator. The rest is rebuilt from statuses.
json::object to_stored(const Swarm& swarm);
Result<Swarm> from_stored(const json::value& value);

// What somebody asked for, and how it ended.
json::object to_stored(const AskRecord& record);
Result<AskRecord> ask_from_stored(const json::value& value);
json::object to_stored(const Ended& ended);
Result<Ended> ended_from_stored(const json::value& value);

} // namespace hive::orchestrator

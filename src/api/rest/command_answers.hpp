#pragma once

#include "api/route.hpp"
#include "orchestrator/queen.hpp"

#include <vector>

namespace hive::rest {

// What has been accepted: correlation id, idempotency key, what to watch and for how long. Of
// several: a list, or the creation with the `start` that follows it.
json::object accepted_json(
    const std::vector<orchestrator::Queen::Ask>& asks, bool listed,
    const orchestrator::Settings& settings);

} // namespace hive::rest

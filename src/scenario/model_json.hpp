#pragma once

#include "kernel/json.hpp"
#include "scenario/model.hpp"

namespace hive::scenario {

// A scenario as it was understood, for programs that show it: both public generations look the
// same here. References and templates are as written.
json::object to_json(const Scenario& scenario);

} // namespace hive::scenario

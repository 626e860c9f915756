#pragma once

#include "kernel/json.hpp"
#include "scenario/compile.hpp"

namespace hive::scenario {

// The plan of a scenario as a controller reads it: `plan::read_plan` knows the form.
json::object wire_plan(const Compiled& compiled);

} // namespace hive::scenario

#pragma once

#include "kernel/json.hpp"

namespace hive::rest {

void add_swarm_schemas(json::object& schemas); // to those of component_schemas()

} // namespace hive::rest

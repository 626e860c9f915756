#pragma once

#include "cli/swarm_config.hpp"
#include "scenario/catalog.hpp"

namespace hive::cli {

// What the bees of this program can be told, and the roles of those that are not of it.
scenario::Catalog scenario_catalog(const ComponentConfig& config = {});

} // namespace hive::cli

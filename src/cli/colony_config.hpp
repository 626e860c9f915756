#pragma once

#include "api/colony/colony_policy.hpp"
#include "kernel/config.hpp"

namespace hive::cli {

// How much bees may say, how long they may be silent, and where webhooks go.
void declare_colony_options(OptionTable& table, rest::ColonyPolicy& policy);

} // namespace hive::cli

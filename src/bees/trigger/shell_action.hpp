#pragma once

#include "bees/trigger/action.hpp"
#include "bees/trigger/trigger_config.hpp"
#include "worker/workload.hpp"

#include <memory>

namespace hive::bees {

std::unique_ptr<Action>
make_shell_action(const TriggerConfig& config, const worker::WorkloadParts& parts);

} // namespace hive::bees

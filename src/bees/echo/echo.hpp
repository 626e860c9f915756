#pragma once

#include "worker/workload.hpp"

namespace hive::bees {

// The smallest bee: what comes in goes out with a step of its own. Config: `text`, what it adds to
// each payload.
worker::BeeKind echo();

} // namespace hive::bees

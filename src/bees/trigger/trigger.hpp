#pragma once

#include "worker/workload.hpp"

namespace hive::bees {

// Does something at an interval or once: a REST call, or a command where that is allowed.
worker::BeeKind trigger(bool allow_shell);

} // namespace hive::bees

#pragma once

#include "worker/workload.hpp"

namespace hive::bees {

// Measures what calls took and how they went, and says so in its status.
worker::BeeKind postprocessor();

} // namespace hive::bees

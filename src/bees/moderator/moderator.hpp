#pragma once

#include "worker/workload.hpp"

namespace hive::bees {

// Lets items pass at a rate: all of them, evenly, or along a wave.
worker::BeeKind moderator();

} // namespace hive::bees

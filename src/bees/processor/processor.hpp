#pragma once

#include "worker/workload.hpp"

namespace hive::bees {

// Makes a call of each item to a system under test and hands on how it went.
worker::BeeKind processor();

} // namespace hive::bees

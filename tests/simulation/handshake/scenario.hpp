#pragma once

#include "tests/simulation/scenario.hpp"

namespace hive::simulation::handshake {

// A requester commands a performer over a bus that delivers at least once. Both may die at any
// moment and remember only what they wrote to disk.
Scenario sound();

// The same with one mistake each.
Scenario acks_before_it_persists();
Scenario performs_every_delivery();
Scenario announces_before_it_persists();

} // namespace hive::simulation::handshake

#pragma once

#include "tests/simulation/scenario.hpp"

namespace hive::simulation::swarm {

// A queen, her marshals and their bees, with people who create, start, configure, stop and remove
// swarms at the worst moments.
Scenario sound();

// The same with one mistake each.
Scenario answers_for_earlier_lives();
Scenario obeys_overtaken_signals();
Scenario starts_all_at_once();
Scenario sweeps_nothing();
Scenario answers_again();
Scenario forgets_objects();
Scenario forgets_asks();

} // namespace hive::simulation::swarm

#pragma once

#include "tests/system/swarm_scene.hpp"

namespace hive::tests {

// The same story on every runtime.
void lives_from_create_to_remove(SwarmScene& scene);
void remove_wins_over_create(SwarmScene& scene);
void bad_config_is_refused(SwarmScene& scene);
void unknown_role_fails_the_creation(SwarmScene& scene);

} // namespace hive::tests

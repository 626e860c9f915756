#pragma once

#include "guard/settings.hpp"
#include "kernel/finding.hpp"

#include <string>
#include <vector>

namespace hive::scenario {

// Keeps the depth of a queue within a bracket by the rate of whoever fills it.
struct Guard : guard::Settings {
    std::vector<std::string> producers{}; // compiled: the bees whose rates are steered
    std::string key{};                    // `trafficPolicy.bufferGuards[1]`
    Position queue_at{};                  // of its queueAlias in scenario.yaml
};

} // namespace hive::scenario

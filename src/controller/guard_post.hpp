#pragma once

#include "controller/template.hpp"
#include "guard/settings.hpp"
#include "guard/state.hpp"
#include "kernel/json.hpp"

#include <set>
#include <string>
#include <vector>

namespace hive::controller {

// A producer that a guard steers.
struct Steered {
    std::string instance{};
    std::string field{};   // where its rate is configured
    double configured = 0; // its rate without the guard, per second
    double told = 0;       // its rate as the guard left it; any other is somebody else's wish
    std::string refused{}; // the last of its refusals that was seen
};

// A buffer guard at its place in the swarm: whom it steers, and how they are configured without it.
struct GuardPost {
    json::object text{}; // its settings, as they were sent and patched since
    guard::Settings settings{};
    guard::State state{};
    std::vector<Steered> producers{};      // instances that fill the queue
    std::vector<std::string> moderators{}; // instances that take from it
    double admitted = 0;                   // per second, by the moderators when backpressure began
    TimePoint next_sample{};
    std::set<std::string> awaited{}; // queues whose depths are on their way
    guard::Sample sample{};          // what of it has come
};

// The guards of `{"bufferGuard": {...}, "bufferGuards": [...]}`; either may be missing. The error
// lists all that is wrong: settings, queues that nobody has, producers that nobody can steer or
// that two guards would fight over.
Result<std::vector<GuardPost>> read_guards(const json::object& policy, const Template& layout);

} // namespace hive::controller

#pragma once

#include "tests/simulation/world.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace hive::simulation {

// What a scenario keeps while its world runs: mostly what its rules have seen so far.
class Plot {
public:
    virtual ~Plot() = default;
};

struct Scenario {
    std::string_view name;
    std::string_view sentence;                    // what it shows, for --list
    std::unique_ptr<Plot> (*stage)(World& world); // adds components, rules and goals
    Phases phases{};
    FaultRates rates{};
    bool planted_bug = false; // it is there to be found
};

std::span<const Scenario> scenarios(); // all there are; the first is the default
const Scenario* find_scenario(std::string_view name);

// One run, decided by the seed: which of the `allowed` faults it has, and everything after.
RunReport play(const Scenario& scenario, std::uint64_t seed, FaultSet allowed, Trace::Sink trace);

} // namespace hive::simulation

#pragma once

#include "tests/simulation/scenario.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace hive::simulation {

struct Campaign {
    const Scenario& scenario;
    std::uint64_t from = 1;
    std::uint64_t seeds = std::numeric_limits<std::uint64_t>::max();
    FaultSet allowed = FaultSet::all();
    unsigned jobs = 1; // threads; each world stays in one
    // Asked between runs, from any of the threads: true ends the campaign early.
    std::function<bool(std::uint64_t seeds_done)> enough{};
};

struct Failure {
    std::uint64_t seed = 0;
    RunReport report;
};

struct CampaignResult {
    std::uint64_t seeds = 0;
    std::uint64_t steps = 0;
    std::optional<Failure> failure{}; // the one with the lowest seed of those that were found
};

CampaignResult run(const Campaign& campaign);

struct Shrunk {
    FaultSet faults = FaultSet::all(); // none of these can be left out
    std::uint64_t seed = 0;            // fails with them
};

// Leaves out one kind of fault after the other while the same rule still breaks: with the seed
// itself or, because another set of faults is another history, one of the `nearby` after it.
Shrunk shrink(const Scenario& scenario, const Failure& failure, FaultSet allowed, unsigned nearby);

std::string replay_command(const Scenario& scenario, std::uint64_t seed, FaultSet allowed);

// Scenario and seed that this thread is playing, for a signal handler to print; empty when none.
const char* now_playing() noexcept;

} // namespace hive::simulation

#include "tests/simulation/scenario.hpp"

#include "tests/simulation/handshake/scenario.hpp"
#include "tests/simulation/swarm/scenario.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hive::simulation {

std::span<const Scenario> scenarios() {
    static const std::array all{
        handshake::sound(),
        handshake::acks_before_it_persists(),
        handshake::performs_every_delivery(),
        handshake::announces_before_it_persists(),
        swarm::sound(),
        swarm::answers_for_earlier_lives(),
        swarm::obeys_overtaken_signals(),
        swarm::starts_all_at_once(),
        swarm::sweeps_nothing(),
        swarm::answers_again(),
        swarm::forgets_objects(),
        swarm::forgets_asks(),
    };
    return all;
}

const Scenario* find_scenario(std::string_view name) {
    const auto all = scenarios();
    const auto found = std::ranges::find(all, name, &Scenario::name);
    return found == all.end() ? nullptr : &*found;
}

RunReport play(const Scenario& scenario, std::uint64_t seed, FaultSet allowed, Trace::Sink trace) {
    // Drawn from the seed alone: an allowed set that holds it gives the same run.
    Random weather{seed_for(seed, "weather")};
    const FaultSet faults = FaultSet::drawn(weather) & allowed;
    std::unique_ptr<Plot> plot; // outlives the world, whose rules look at it
    World world{
        {.seed = seed, .faults = faults, .rates = scenario.rates, .trace = std::move(trace)}};
    plot = scenario.stage(world);
    return world.run(scenario.phases);
}

} // namespace hive::simulation

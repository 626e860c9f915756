#pragma once

#include "controller/state.hpp"
#include "kernel/config.hpp"
#include "orchestrator/state.hpp"
#include "store/journal_tables.hpp"
#include "worker/control.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace hive::cli {

// How controllers and bees behave; they are told by the server, through their environment.
struct ComponentConfig {
    controller::Settings marshal{};
    worker::ControlSettings bee{};
    std::map<std::string, std::string> programs{}; // by role: bees that are not of this program
    bool allow_shell = false; // whether a scenario may run commands on this machine
};
void declare_component_options(OptionTable& table, ComponentConfig& config);
std::map<std::string, std::string> environment_of(const ComponentConfig& config);

// How a server runs swarms.
struct SwarmConfig {
    std::string queen = "queen";
    std::string runtime = "auto"; // inproc without a broker, process with one
    std::uint32_t threads = 2;    // that everything of the control plane in this process shares
    orchestrator::Settings orchestrator{};
    store::JournalRetention retention{};
    Duration sweep_every = std::chrono::minutes{10}; // what retention no longer keeps
    ComponentConfig components{};
};
void declare_swarm_options(OptionTable& table, SwarmConfig& config);

} // namespace hive::cli

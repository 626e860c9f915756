#pragma once

#include "kernel/clock.hpp"
#include "kernel/finding.hpp"
#include "kernel/json.hpp"
#include "kernel/yaml.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::scenario {

// Whom a step is for.
struct Target {
    enum class Scope : std::uint8_t { swarm, bees, instance };

    Scope scope = Scope::swarm;
    std::string name{};              // the role, bee or instance as written; empty for the swarm
    std::vector<std::string> bees{}; // scope bees: their ids

    bool operator==(const Target&) const = default;
};

enum class StepType : std::uint8_t { config_update, start, stop, ramp, spike };

// One entry of the timeline. Times count from the start of the swarm.
struct Step {
    std::string id;
    std::string name{};
    Target target{};
    StepType type = StepType::config_update;
    Duration time{};
    json::object config{}; // of config_update
    struct Ramp {          // a number moved along a line over `duration`
        std::string field{};
        std::optional<double> from{}; // none: what it is then
        double to = 0;
    };
    std::optional<Ramp> ramp{};
    Duration duration{}; // of a ramp or spike
    Position at{};       // in scenario.yaml
    YamlNode written{};  // its config, for positions
};

struct Plan {
    std::vector<Step> steps{}; // by time; those of one moment as written
    std::uint32_t runs = 1;    // how often the timeline is gone through
    Duration length{};         // of one run; at least until its last step has ended

    bool empty() const noexcept { return steps.empty(); }
};

} // namespace hive::scenario

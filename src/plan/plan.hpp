#pragma once

#include "kernel/fields.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hive::plan {

enum class Kind : std::uint8_t { config_update, start, stop, ramp, spike };
std::span<const Named<Kind>> names_of(Kind);
std::string_view name_of(Kind kind) noexcept;

// Whom a step is for. Nothing is set: the swarm.
struct Target {
    std::string role{};
    std::vector<std::string> bees{}; // by id
    std::string instance{};          // whole, or without the name of its swarm: `generator-1`

    bool is_swarm() const noexcept { return role.empty() && bees.empty() && instance.empty(); }
    bool operator==(const Target&) const = default;
};
std::string to_text(const Target& target); // for people

struct Step {
    std::string id{};
    std::string name{};
    Target target{};
    Kind kind = Kind::config_update;
    Duration at{};                // since the start of a run
    Duration lasts{};             // of a ramp or spike
    json::object config{};        // of a config-update
    std::string field{};          // of a ramp: the dotted path of a number in the configuration
    std::optional<double> from{}; // none: what it is then
    double to = 0;

    Duration end() const noexcept { return at + lasts; }
    bool operator==(const Step&) const = default;
};

struct Plan {
    std::vector<Step> steps{}; // by time; those of one moment as written
    std::uint32_t runs = 1;    // how often all of it happens
    Duration length{};         // of one run; at least until the last step has ended

    bool empty() const noexcept { return steps.empty(); }
    bool operator==(const Plan&) const = default;
};

// `{"swarm": [step...], "bees": [{"role" | "beeId" | "beeIds" | "instanceId", "steps": [step...]}],
// "runs": N, "length": "60s"}` with steps `{"stepId", "name", "time", "type", "config", "field",
// "from", "to", "duration"}`. The error lists every mistake with its path; an empty object is an
// empty plan.
Result<Plan> read_plan(const json::object& text);
json::object to_json(const Plan& plan);

// `{"a": {"b": value}}` for the path `a.b`.
json::object patch_for(std::string_view field, double value);
// The number at that path.
std::optional<double> number_at(const json::object& config, std::string_view field);

} // namespace hive::plan

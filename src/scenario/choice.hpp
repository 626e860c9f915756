#pragma once

#include "scenario/compile.hpp"
#include "scenario/references.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// One environment and one profile, and what they give to references.
struct Chosen {
    std::string sut{};
    std::string profile{};
    Values values{};
};

// What is chosen, or the only one there is. Errc::invalid names what must be chosen.
Result<Chosen> choose(const Scenario& scenario, const Choices& choices);

// The same, but whatever is left open is taken as the first there is.
Choices with_first(const Scenario& scenario, Choices choices);

// Sets what each `bee.path=value` says. The error names every one that cannot be.
struct Overridden {
    const Bee& bee;
    json::object& config;
};
Status apply_override(std::string_view assignment, const std::vector<Overridden>& bees);

} // namespace hive::scenario

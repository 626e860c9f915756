#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hive::scenario {

// A file of tests/scenario.
std::string scenario_source(const std::string& name);

// The sound scenario with one thing wrong, by a line of broken.txt.
struct Broken {
    std::string rule;
    std::string code;
    std::string text;
    std::size_t line = 0; // 0: anywhere
};
std::vector<Broken> broken_scenarios();

} // namespace hive::scenario

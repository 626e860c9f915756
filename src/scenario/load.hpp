#pragma once

#include "kernel/finding.hpp"
#include "scenario/bundle.hpp"
#include "scenario/model.hpp"

#include <string>
#include <vector>

namespace hive::scenario {

struct Loaded {
    Scenario scenario{};
    Bundle bundle{};
    std::vector<Finding> findings{}; // in the order of their places
};

// Reads a bundle of either public generation, or a single file, and says all that is wrong with its
// structure at once. What only bees know is for validate().
Loaded load(const std::string& path);
Loaded load(Bundle bundle);

void sort_by_place(std::vector<Finding>& findings);

} // namespace hive::scenario

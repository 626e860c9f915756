#pragma once

#include "controller/template.hpp"

#include <cstddef>
#include <vector>

namespace hive::controller {

// Who starts before whom: a bee that feeds a queue comes before the bees that drain it.
struct StartOrder {
    std::vector<std::size_t> rank_of{}; // by bee of the template
    std::size_t ranks = 0;
    bool cyclic = false; // those on a cycle, and behind it, follow in declaration order
};

StartOrder start_order(const Template& plan);

} // namespace hive::controller

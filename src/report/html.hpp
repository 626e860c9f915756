#pragma once

#include "report/run.hpp"

#include <string>

namespace hive::report {

// One file with everything in it: opens without a network, from disk, on a phone and on paper.
// Text from outside is escaped, and the page allows no script but its own.
std::string html(const Run& run);

} // namespace hive::report

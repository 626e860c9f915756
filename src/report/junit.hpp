#pragma once

#include "report/run.hpp"

#include <string>

namespace hive::report {

// A run for tools that read JUnit's XML: a test for the run itself, and one for each threshold.
std::string junit(const Run& run);

} // namespace hive::report

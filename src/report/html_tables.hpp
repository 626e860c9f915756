#pragma once

#include "report/run.hpp"

#include <string>

namespace hive::report {

// Sections of the report that are tables; empty when there is nothing to say.
std::string thresholds_section(const Run& run);
std::string latency_section(const Run& run);
std::string outcome_section(const Run& run); // by status and by error
std::string calls_section(const Run& run);   // by call and by dimension
std::string find_max_section(const Run& run);
std::string queues_section(const Run& run);
std::string bees_section(const Run& run);
std::string environment_section(const Run& run);

} // namespace hive::report

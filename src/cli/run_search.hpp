#pragma once

#include "cli/run_performance.hpp"

namespace hive::cli {

// Runs a play at one rate after another until the highest is known at which every threshold holds;
// answers the run at that rate, with all that was tried in its summary.
Result<report::Run> find_max(const Play& play, const RunOptions& options, Performance& performance);

} // namespace hive::cli

#pragma once

#include "cli/run_options.hpp"
#include "report/run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive::cli {

using WrittenFiles = std::vector<std::pair<std::string, std::string>>; // what it is, and its path

// Whatever the options ask for. All that can be written is; the error names the others.
Result<WrittenFiles> write_run_files(const report::Run& run, const RunOptions& options);

// Of the machine and the program, for the report.
std::vector<std::pair<std::string, std::string>> environment_of(const RunOptions& options);

} // namespace hive::cli

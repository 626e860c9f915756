#pragma once

#include "kernel/result.hpp"
#include "telemetry/summary.hpp"

#include <string>

namespace hive::cli {

// A file with a summary in it; - is standard input. The error names the file and is always one of
// the input: whoever calls the program must give another file.
Result<telemetry::Summary> read_summary(const std::string& path, int standard_input);

} // namespace hive::cli

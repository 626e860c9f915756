#pragma once

#include "report/run.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hive::report {

struct FinalTextOptions {
    std::size_t width = 80;
    bool colors = false;
    std::vector<std::pair<std::string, std::string>> files{}; // what was written: kind and path
};

// What a run was, to read at its end: the verdict first, then counts, latencies, where it failed
// and what was promised. Lines of text, each with its line break.
std::string final_text(const Run& run, const FinalTextOptions& options);

// A run as far as a summary tells of it: no markers, no depths over time.
Run run_of(const telemetry::Summary& summary);

} // namespace hive::report

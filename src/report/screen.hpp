#pragma once

#include "report/run.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hive::report {

struct ScreenSize {
    std::size_t width = 80;
    std::size_t height = 24;
    bool colors = false;
};

// The live view of a run so far: at most `height` lines, none wider than `width`. What matters
// least goes first when there is little room.
std::vector<std::string> screen(const Run& run, const ScreenSize& size);

// The same in one line, for a log: what was done in the last window and how far the run is.
std::string plain_line(const Run& run);

} // namespace hive::report

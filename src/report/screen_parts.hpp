#pragma once

#include "report/columns.hpp"
#include "report/run.hpp"
#include "report/screen.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hive::report {

// A block of the live view. The rows are in order of need: the last goes first.
struct ScreenPart {
    std::vector<Line> rows{};
    std::size_t need = 0;       // a part with a smaller one is given up before
    std::size_t rows_least = 1; // fewer than these say nothing, so it goes as a whole
    bool joined = false;        // belongs to the part before it: no space between them
};

// Each of them in `size.width`; the height is not looked at.
ScreenPart progress_part(const Run& run, const ScreenSize& size);
ScreenPart rate_part(const Run& run, const ScreenSize& size);
ScreenPart rate_trend_part(const Run& run, const ScreenSize& size);
ScreenPart latency_part(const Run& run, const ScreenSize& size);
ScreenPart latency_trend_part(const Run& run, const ScreenSize& size);
ScreenPart error_part(const Run& run, const ScreenSize& size);
ScreenPart queue_part(const Run& run, const ScreenSize& size);
ScreenPart bee_part(const Run& run, const ScreenSize& size);

std::string word_of(Verdict verdict);
Ink ink_of(Verdict verdict);
double failed_share(const telemetry::Summary& summary);

} // namespace hive::report

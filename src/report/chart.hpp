#pragma once

#include "report/axis.hpp"
#include "report/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::report {

struct ChartLine {
    std::string name{};
    std::string look{};           // a class of the style sheet
    std::vector<double> values{}; // one for each time; NaN is a gap
};

// Values over time, as a figure with inline SVG. Everything is visible without a script; the
// values are in it as data, so that a script can show them under the pointer.
struct Chart {
    std::string title{};
    std::string note{}; // what to look for; may be empty
    Unit unit = Unit::rate;
    bool may_be_log = false; // when the values reach over more than a decade and a half
    std::vector<double> times{};
    std::vector<ChartLine> lines{};
    std::vector<Marker> markers{};
    bool marker_texts = false; // beside the numbers, where there is room
    std::optional<Bracket> band{};

    std::string figure() const;
};

// A point of a chart at most every pixel or so.
inline constexpr std::size_t chart_points_max = 1'200;

} // namespace hive::report

#pragma once

#include "pace/pattern.hpp"

#include <optional>
#include <vector>

namespace hive::pace {

// The level of one segment over its own time: mode, then transition, then mutators.
class SegmentCurve {
public:
    SegmentCurve(const Segment& segment, double length, double level_before)
        : segment_{segment}, length_{length}, level_before_{level_before} {}

    double level(double at) const;

    // Where the curve may jump or bend, and enough moments in between to follow it; from 0 to the
    // length. Nothing when there would be too many.
    std::optional<std::vector<double>> moments() const;

private:
    double before_caps(double at, std::size_t mutators) const;
    double mode_level(double at) const;
    bool add_regular(std::vector<double>& out, double every, double offset) const;
    void add_crossings(std::vector<double>& moments) const;

    const Segment& segment_;
    double length_;
    double level_before_;
};

} // namespace hive::pace

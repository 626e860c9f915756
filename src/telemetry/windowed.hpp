#pragma once

#include "telemetry/histogram.hpp"

#include <cstddef>
#include <vector>

namespace hive::telemetry {

// The last seconds, in slices that fall out of the window one by one.
class Windowed {
public:
    Windowed(Duration window, std::size_t slices);

    void record(TimePoint now, Duration latency);
    Histogram recent(TimePoint now) const;
    // Values per second over the window, or over the time since the first value if that is less.
    double per_second(TimePoint now) const;

private:
    struct Slice {
        Duration::rep turn = -1; // which slice of all time this is; -1: none yet
        Histogram values{};
    };
    Duration::rep turn_of(TimePoint at) const;
    bool fresh(const Slice& slice, TimePoint now) const;

    Duration width_;
    TimePoint first_ = TimePoint::max();
    std::vector<Slice> slices_;
};

} // namespace hive::telemetry

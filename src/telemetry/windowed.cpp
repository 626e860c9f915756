#include "telemetry/windowed.hpp"

#include <algorithm>
#include <cassert>

namespace hive::telemetry {

Windowed::Windowed(Duration window, std::size_t slices)
    : width_{window / static_cast<Duration::rep>(slices)}, slices_(slices) {
    assert(width_ > Duration::zero());
}

Duration::rep Windowed::turn_of(TimePoint at) const {
    return std::max(at.time_since_epoch(), Duration::zero()) / width_;
}

bool Windowed::fresh(const Slice& slice, TimePoint now) const {
    return slice.turn >= 0 &&
           turn_of(now) - slice.turn < static_cast<Duration::rep>(slices_.size());
}

void Windowed::record(TimePoint now, Duration latency) {
    const Duration::rep turn = turn_of(now);
    Slice& slice = slices_[static_cast<std::size_t>(turn) % slices_.size()];
    if (slice.turn > turn) return; // older than the window
    if (slice.turn != turn) {
        slice.values.clear();
        slice.turn = turn;
    }
    first_ = std::min(first_, now);
    slice.values.record(latency);
}

Histogram Windowed::recent(TimePoint now) const {
    Histogram all;
    for (const Slice& slice : slices_) {
        if (fresh(slice, now)) all.merge(slice.values);
    }
    return all;
}

double Windowed::per_second(TimePoint now) const {
    std::uint64_t count = 0;
    for (const Slice& slice : slices_) {
        if (fresh(slice, now)) count += slice.values.count();
    }
    if (count == 0) return 0;
    // The current slice is not full yet: the window begins with the oldest slice that counts.
    const Duration::rep oldest = turn_of(now) - static_cast<Duration::rep>(slices_.size()) + 1;
    const TimePoint begin =
        std::max(TimePoint{width_ * std::max(oldest, Duration::rep{0})}, first_);
    const Duration span = std::max(now - begin, width_);
    return static_cast<double>(count) / std::chrono::duration<double>(span).count();
}

} // namespace hive::telemetry

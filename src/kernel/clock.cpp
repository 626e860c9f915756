#include "kernel/clock.hpp"

namespace hive {

TimePoint SystemClock::now() const {
    return TimePoint{std::chrono::steady_clock::now().time_since_epoch()};
}

Timestamp SystemClock::wall() const {
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

} // namespace hive

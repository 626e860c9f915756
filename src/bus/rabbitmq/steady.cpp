#include "bus/rabbitmq/steady.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {
namespace {

// The library counts milliseconds in an int; its callers here wait again when they want more.
constexpr Duration call_max = std::chrono::hours{24};

} // namespace

TimePoint steady_now() {
    return SystemClock{}.now();
}

TimePoint add(TimePoint from, Duration wait) {
    if (wait > Duration{0} && from > TimePoint::max() - wait) return TimePoint::max();
    if (wait < Duration{0} && from < TimePoint::min() - wait) return TimePoint::min();
    return from + wait;
}

Duration left_until(TimePoint deadline) {
    const auto now = steady_now();
    return deadline > now ? deadline - now : Duration{0};
}

std::chrono::steady_clock::time_point steady(TimePoint time) {
    return std::chrono::steady_clock::time_point{
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(time.time_since_epoch())};
}

int poll_timeout(Duration wait) {
    const auto bound = std::clamp(wait, Duration{0}, call_max);
    return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(bound).count());
}

timeval library_timeout(Duration wait) {
    const auto bound = std::clamp(wait, Duration{0}, call_max);
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(bound).count();
    return {micros / 1'000'000, micros % 1'000'000};
}

} // namespace hive::bus::rabbitmq

#pragma once

#include "kernel/clock.hpp"

#include <sys/time.h>

#include <chrono>

namespace hive::bus::rabbitmq {

// Every wait of this folder is computed here: a caller's duration may be as long or as negative as
// its type allows, and none may wrap around into the past.

TimePoint steady_now();

// Never later than TimePoint::max(), which is for ever.
TimePoint add(TimePoint from, Duration wait);
inline TimePoint deadline_after(Duration wait) {
    return add(steady_now(), wait);
}
// Until then: nothing once it is past.
Duration left_until(TimePoint deadline);

// The same instant for the standard library's waits. Its wait_for() adds without looking.
std::chrono::steady_clock::time_point steady(TimePoint time);

// What an interface of the system or the AMQP library can express: from 0 to a day.
int poll_timeout(Duration wait); // ms, rounded up so that no wait spins
timeval library_timeout(Duration wait);

// Durations of a coarser unit reach further than ours.
template <class Rep, class Period>
constexpr Duration bounded(std::chrono::duration<Rep, Period> wait) {
    using From = std::chrono::duration<Rep, Period>;
    if (wait >= std::chrono::duration_cast<From>(Duration::max())) return Duration::max();
    if (wait <= std::chrono::duration_cast<From>(Duration::min())) return Duration::min();
    return std::chrono::duration_cast<Duration>(wait);
}

} // namespace hive::bus::rabbitmq

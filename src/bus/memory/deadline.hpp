#pragma once

#include "kernel/clock.hpp"

#include <algorithm>
#include <chrono>

namespace hive::bus::memory {

// Waits are of real time even where the hub's clock is moved by hand: threads sleep in them.
using Deadline = std::chrono::steady_clock::time_point;

inline Deadline deadline_after(Duration wait) {
    constexpr Duration longest = std::chrono::hours{24 * 365}; // the sum must not overflow
    return std::chrono::steady_clock::now() + std::clamp(wait, Duration{0}, longest);
}

inline bool is_past(Deadline deadline) {
    return std::chrono::steady_clock::now() >= deadline;
}

} // namespace hive::bus::memory

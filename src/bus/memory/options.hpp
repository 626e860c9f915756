#pragma once

#include "kernel/clock.hpp"

#include <chrono>
#include <cstddef>

namespace hive::bus::memory {

struct Options {
    // For queues that set none, so that nothing grows without end. About 150 MB of small items:
    // seconds of a fast producer, long before a machine runs out of memory.
    std::size_t default_max_length = std::size_t{1} << 18U;
    std::size_t queues_max = std::size_t{1} << 17U;
    std::size_t control_body_max = std::size_t{4} << 20U; // bytes
    Duration sweep_every = std::chrono::milliseconds{20}; // how late a message may expire unread
};

} // namespace hive::bus::memory

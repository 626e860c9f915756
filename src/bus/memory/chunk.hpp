#pragma once

#include "bus/work_bus.hpp"
#include "kernel/clock.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hive::bus::memory {

// Where an item stands in its queue, and since when.
struct Ticket {
    std::uint64_t place = 0;
    TimePoint since{};
};

// Work items as they lie in a queue and later, unsettled, in a receiver: handing over a full chunk
// moves one pointer instead of its items.
struct Chunk {
    static constexpr std::size_t capacity = 64; // one bit each in `unsettled`

    std::array<Delivered, capacity> items;
    std::array<Ticket, capacity> tickets;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t unsettled = 0;

    std::size_t size() const noexcept { return end - begin; }
    bool full() const noexcept { return end == capacity; }
    void clear() noexcept { begin = end = 0; }
};

using ChunkPtr = std::unique_ptr<Chunk>;

} // namespace hive::bus::memory

#pragma once

#include "bus/memory/aftermath.hpp"
#include "bus/memory/chunk.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace hive::bus::memory {

struct WaitingLetter {
    Letter letter;
    TimePoint since;
    bool redelivered = false;
};

// The ready control messages of one queue by place, so that a returned one gets its old place back.
// Not locked: its queue is.
class ControlLane {
public:
    std::size_t size() const noexcept { return waiting_.size(); }
    bool empty() const noexcept { return waiting_.empty(); }
    Ticket front() const { // not when empty
        return {waiting_.begin()->first, waiting_.begin()->second.since};
    }

    void put(std::uint64_t place, WaitingLetter letter) {
        waiting_.emplace(place, std::move(letter));
    }
    WaitingLetter pop() { // not when empty
        return std::move(waiting_.extract(waiting_.begin()).mapped());
    }
    std::size_t clear() {
        const std::size_t count = waiting_.size();
        waiting_.clear();
        return count;
    }

private:
    std::map<std::uint64_t, WaitingLetter> waiting_;
};

} // namespace hive::bus::memory

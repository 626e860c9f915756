#pragma once

#include "bus/memory/chunk.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace hive::bus::memory {

// The ready work items of one queue in order. Not locked: its queue is.
class WorkLane {
public:
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    Ticket front() const; // not when empty

    // The new last item, with nothing but its tag unset; the caller fills in the rest.
    Delivered& append(const Ticket& ticket);
    // Items of lower places come out first, so a returned item gets its old place back.
    void put_back(const Ticket& ticket, Delivered delivered);

    wire::WorkItem pop();           // not when empty
    ChunkPtr take(std::size_t max); // the first items, at most a chunk of them; null when empty
    std::size_t clear();            // how many there were

    void recycle(ChunkPtr chunk); // whose items are all empty

private:
    struct Returned {
        Delivered delivered;
        TimePoint since;
    };
    // A busy queue reuses its chunks of some 18 kB; an idle one must not pin memory, for there may
    // be thousands of them.
    static constexpr std::size_t busy_spares_max = 32;
    static constexpr std::size_t idle_spares_max = 1;

    ChunkPtr spare();
    void drop_front_chunk();
    ChunkPtr take_returned(std::size_t max);

    std::map<std::uint64_t, Returned> returned_; // every place here is before those in chunks_
    std::deque<ChunkPtr> chunks_;                // none is empty
    std::vector<ChunkPtr> spares_;
    std::size_t size_ = 0;
};

} // namespace hive::bus::memory

#pragma once

#include "bus/control_bus.hpp"
#include "bus/memory/control_lane.hpp"
#include "bus/memory/topic_trie.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace hive::bus::memory {

// One subscription of a control queue. Shared: its deliveries may be settled long after it ended.
struct Consumer {
    Consumer(QueuePtr of, ControlHandler on_delivery, std::size_t unsettled_max)
        : queue{std::move(of)}, handler{std::move(on_delivery)}, prefetch{unsettled_max} {}

    const QueuePtr queue;
    const ControlHandler handler;
    const std::size_t prefetch;

    // Held while the handler runs; recursive because a handler may end its own subscription.
    std::recursive_timed_mutex running;
    std::atomic<bool> active{true};

    std::map<std::uint64_t, WaitingLetter> unsettled; // by place; guarded by the queue's lock
};

using ConsumerPtr = std::shared_ptr<Consumer>;

} // namespace hive::bus::memory

#pragma once

#include "bus/layout.hpp"
#include "bus/memory/aftermath.hpp"
#include "bus/memory/consumer.hpp"
#include "bus/memory/control_lane.hpp"
#include "bus/memory/deadline.hpp"
#include "bus/memory/work_lane.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace hive::bus::memory {

// A queue with its own lock. It may hold messages of both planes; each goes to consumers of its own
// plane. No callback runs and no other lock is taken under the lock: what is left to do comes back
// as an Aftermath.
class LiveQueue {
public:
    // `owner` is the session of an exclusive queue, 0 for any other.
    LiveQueue(bus::Queue settings, std::size_t limit, std::uint64_t owner);

    const bus::Queue& settings() const noexcept { return settings_; }
    bool usable_by(std::uint64_t session) const noexcept;
    bool removed() const;
    QueueStats stats(TimePoint now, Aftermath& after);
    std::size_t purge(Aftermath& after);
    void expire(TimePoint now, Aftermath& after);
    void remove(Aftermath& after); // everyone who waits for it is woken
    void wake();                   // waiters look again whether they were closed

    // How many of the items were taken: those that found room. None once removed.
    std::size_t push(ItemRefs items, TimePoint now, Aftermath& after);
    // The same in two steps, for a message that must find room in several queues. A removed queue
    // has room and keeps nothing, so that it does not hold up the others.
    std::size_t reserve(std::size_t wanted);
    void cancel(std::size_t reserved);
    void push_reserved(ItemRefs items, TimePoint now, Aftermath& after);
    void push_reserved(Letter letter, TimePoint now, Aftermath& after);
    // Until there may be room, or the queue is removed, or the waiter closed.
    void wait_for_room(Deadline deadline, const std::atomic<bool>& closed);
    // False when there is room already: the bell is not kept then.
    bool ring_when_room(const std::shared_ptr<Bell>& bell);

    struct Demand {
        std::size_t max;
        TimePoint now;
        std::vector<ChunkPtr>& emptied;    // chunks for further use
        const std::shared_ptr<Bell>& bell; // to ring at the next item when there is none now
    };
    ChunkPtr take(const Demand& demand, Aftermath& after);
    void wait_for_items(Deadline deadline, const std::atomic<bool>& closed);
    // For a receiver that holds all it may: nothing can arrive for it, but it may be closed.
    void wait_for_close(Deadline deadline, const std::atomic<bool>& closed);
    void put_back(const Ticket& ticket, Delivered delivered, Aftermath& after);
    void retry(Delivered delivered, TimePoint now, Aftermath& after); // at the end of the queue
    bool has_items() const;

    void add_receiver();
    bool drop_receiver(); // whether it was the last consumer of any kind

    // False when the queue was removed or the consumer ended meanwhile.
    bool add_consumer(const ConsumerPtr& consumer, Aftermath& after);
    bool drop_consumer(const ConsumerPtr& consumer); // whether it was the last of any kind
    struct Job {
        ConsumerPtr consumer;
        std::uint64_t place;
        WaitingLetter waiting;
    };
    // The next letter and who is to get it. Nothing means: dispatch again only when told so.
    std::optional<Job> next_job(TimePoint now, Aftermath& after);
    void settle(Consumer& consumer, std::uint64_t place, bool ack, Aftermath& after);
    bool all_settled(const Consumer& consumer) const;
    void return_unsettled(Consumer& consumer, Aftermath& after);

private:
    std::size_t ready() const noexcept { return work_.size() + control_.size(); }
    std::size_t room() const noexcept;
    bool has_free_consumer() const;
    bool last_consumer() const noexcept { return receivers_ == 0 && consumers_.empty(); }
    void append(ItemRefs items, TimePoint now, Aftermath& after);
    void evict_oldest(Aftermath& after);
    void trim(Aftermath& after);
    void expire_locked(TimePoint now, Aftermath& after);
    void announce_items(std::size_t count, Aftermath& after);
    void announce_room(Aftermath& after);
    void announce_letters(Aftermath& after);

    const bus::Queue settings_;
    const std::size_t limit_;
    const std::uint64_t owner_;

    mutable std::mutex mutex_;
    WorkLane work_;
    ControlLane control_;
    std::uint64_t next_place_ = 0;
    std::size_t reserved_ = 0;
    bool removed_ = false;

    std::condition_variable items_;
    std::condition_variable room_;
    std::condition_variable closing_;
    std::size_t waiting_receivers_ = 0;
    std::size_t waiting_senders_ = 0;
    std::vector<std::shared_ptr<Bell>> item_bells_;
    std::vector<std::shared_ptr<Bell>> room_bells_;

    std::size_t receivers_ = 0;
    std::vector<ConsumerPtr> consumers_;
    std::size_t next_consumer_ = 0;
    bool dispatching_ = false; // the dispatcher knows that there are letters
};

} // namespace hive::bus::memory

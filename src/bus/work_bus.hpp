#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "wire/work_item.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hive::bus {

// Where items go. An empty exchange means straight to the queue called `key`, which on RabbitMQ is
// 40 % cheaper than a topic exchange and right while nothing but that queue is bound.
struct Route {
    std::string exchange;
    std::string key;
};

struct SenderOptions {
    std::size_t window = 256; // items in flight to the broker without its confirmation
    bool persistent = true;
    std::function<void()> on_progress{}; // there may be room, or more is confirmed; must not block
};

// Items where they lie, in the order they are sent.
using ItemRefs = std::span<wire::WorkItem* const>;

// Used by one thread at a time. An item is safe once it is confirmed: only then may the item it was
// made from be acknowledged.
class WorkSender {
public:
    virtual ~WorkSender() = default;

    // Takes items from the front of `items` while there is room, waiting up to `wait` for the first
    // place, and leaves others in their places, empty but for room that can be used again. Returns
    // how many it took: fewer than offered is backpressure. Errc::not_found when the route leads to
    // no queue (on RabbitMQ this may surface at the next call); the sender then stays failed,
    // because what came after is no longer in order.
    virtual Result<std::size_t> send(const Route& route, ItemRefs items, Duration wait) = 0;
    Result<std::size_t>
    send(const Route& route, std::span<wire::WorkItem> items, Duration wait); // of a list

    virtual std::uint64_t accepted() const = 0;  // items taken since the sender was opened
    virtual std::uint64_t confirmed() const = 0; // of those, counted from the first without a gap
    virtual Status flush(Duration within) = 0;   // until all accepted items are confirmed
};

enum class Verdict : std::uint8_t {
    requeue, // not handled (shutdown, no room): back to the queue, no attempt is charged
    retry,   // handling failed: back to the queue, or dead-lettered after the last attempt
    reject,  // never going to work: dead-lettered at once
};

struct Delivered {
    wire::WorkItem item;
    std::uint64_t tag = 0;
    std::uint32_t attempt = 1;
    bool redelivered = false; // it may have been seen before
};

struct ReceiverOptions {
    std::string queue;
    std::size_t prefetch = 256; // deliveries that may be unsettled at once
    std::uint32_t max_attempts = 3;
    // Queue for items out of attempts. Empty: the queue's own dead-letter queue takes them if it
    // has one (on RabbitMQ without the headers below), else they are dropped.
    std::string dead_letter{};
    std::function<void()> on_items{}; // something to receive after a time without; must not block
};

// Used by one thread at a time. Closing it returns every unsettled item to the queue.
class WorkReceiver {
public:
    virtual ~WorkReceiver() = default;

    // Up to `max` items in queue order, waiting up to `wait` for the first; none at the deadline.
    // They stay in the receiver until settled: a consumer may change one in place or send it on,
    // and must acknowledge what was taken from its place.
    virtual Result<std::span<Delivered>> receive(std::size_t max, Duration wait) = 0;

    virtual Status ack(std::span<const std::uint64_t> tags) = 0;

    // A retried or rejected item carries `reason` in its header `x-ph-error` and the attempts used
    // in `x-ph-attempts` when it reaches the dead-letter queue.
    virtual Status settle(std::uint64_t tag, Verdict verdict, std::string_view reason) = 0;
};

// From so many items a millisecond on it pays to take them together, and to let them wait so long
// for that: waking up for each of them would cost more than all the rest.
struct Gathering {
    double per_ms = 20;
    Duration wait = std::chrono::microseconds{300};
};

class WorkBus {
public:
    virtual ~WorkBus() = default;
    virtual Gathering gathering() const { return {}; }
    virtual Result<std::unique_ptr<WorkSender>> open_sender(SenderOptions options) = 0;
    // Errc::not_found when the queue does not exist: only the swarm controller declares queues.
    virtual Result<std::unique_ptr<WorkReceiver>> open_receiver(ReceiverOptions options) = 0;
};

} // namespace hive::bus

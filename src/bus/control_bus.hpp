#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/subscription.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace hive::bus {

// One envelope on its way; the control exchange routes it by its key.
struct ControlMessage {
    std::string routing_key;
    std::string body;

    bool operator==(const ControlMessage&) const = default;
};

enum class Persistence : std::uint8_t {
    persistent, // commands, outcomes, alerts: survive a broker restart in a durable queue
    transient,  // status: the next one replaces it
};

// A message handed to a consumer. Left unsettled it goes back to its queue.
class ControlDelivery {
public:
    using Settle = std::function<void(bool ack)>;

    ControlDelivery(ControlMessage message, bool redelivered, Settle settle)
        : message_{std::move(message)}, redelivered_{redelivered}, settle_{std::move(settle)} {}
    ControlDelivery(ControlDelivery&& other) noexcept
        : message_{std::move(other.message_)}, redelivered_{other.redelivered_},
          settle_{std::exchange(other.settle_, nullptr)} {}
    ControlDelivery& operator=(ControlDelivery&&) = delete;
    ~ControlDelivery() { settle(false); }

    const ControlMessage& message() const noexcept { return message_; }
    bool redelivered() const noexcept { return redelivered_; }
    void ack() { settle(true); }
    void requeue() { settle(false); }

private:
    void settle(bool ack) {
        if (auto settle = std::exchange(settle_, nullptr)) settle(ack);
    }

    ControlMessage message_;
    bool redelivered_;
    Settle settle_;
};

// Called one delivery at a time, in queue order, on a thread of the bus: it must not block. A
// delivery may be kept and settled later from any thread.
using ControlHandler = std::function<void(ControlDelivery)>;

class ControlBus {
public:
    virtual ~ControlBus() = default;

    // Accepted means it will be delivered: while the broker is away it waits in a bounded outbox
    // (Errc::limit when that is full). A key that no queue is bound to is not an error.
    virtual Status publish(ControlMessage message, Persistence persistence) = 0;

    // Errc::not_found when the queue does not exist. `prefetch` bounds the unsettled deliveries.
    virtual Result<Subscription>
    consume(const std::string& queue, ControlHandler handler, std::size_t prefetch) = 0;

    // Returns once everything published so far is safe with the broker, or at the deadline.
    virtual Status flush(Duration within) = 0;
};

} // namespace hive::bus

#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace hive::bus::rabbitmq {

struct RawDelivery {
    std::uint64_t serial = 0; // names it for as long as its consumer lives
    std::uint32_t attempt = 1;
    bool redelivered = false;
    std::string routing_key;
    std::string body;
};

// One consumer, between the consume loop and whoever handles its deliveries.
class Intake {
public:
    Intake(std::string queue, std::size_t prefetch);
    virtual ~Intake() = default;
    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;

    const std::string& queue() const noexcept { return queue_; }
    std::size_t prefetch() const noexcept { return prefetch_; }
    std::size_t batch() const noexcept { return batch_; } // acknowledgements that leave together

    // On the loop's thread: some deliveries, then the word that they may be handed out.
    virtual void deliver(RawDelivery delivery) = 0;
    virtual void hand_over() = 0;
    // The session is lost: what was not handed out up to `last_serial` will be delivered anew.
    virtual void interrupted(std::uint64_t last_serial) = 0;
    virtual void ended(const Error& why) = 0; // its queue is gone, or the bus is closed

    // From any thread; sent in batches by the loop.
    void ack(std::span<const std::uint64_t> serials);
    enum class Refusal : std::uint8_t { requeue, discard };
    void refuse(std::uint64_t serial, Refusal refusal);

    // For the loop.
    struct Settlements {
        std::vector<std::uint64_t> acks{};
        std::vector<std::pair<std::uint64_t, Refusal>> refusals{};
        bool empty() const { return acks.empty() && refusals.empty(); }
    };
    Settlements take_settlements();
    // `urgent` is false for the first of a batch, true when the batch is full.
    void on_settled(std::function<void(bool urgent)> tell);

private:
    void tell_if(bool first, std::size_t before, std::size_t after) const;

    const std::string queue_;
    const std::size_t prefetch_;
    const std::size_t batch_; // acknowledgements that make a batch
    std::mutex mutex_;
    Settlements settlements_;
    std::function<void(bool urgent)> tell_;
};

} // namespace hive::bus::rabbitmq

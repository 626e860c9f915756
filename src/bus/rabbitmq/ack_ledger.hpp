#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace hive::bus::rabbitmq {

// Which deliveries of one consumer are settled. A serial names a delivery for as long as the
// consumer lives; AMQP's delivery tags start over with each session, so the ledger translates, and
// knows the serials of earlier sessions as stale.
class AckLedger {
public:
    struct Ack {
        std::uint64_t tag;
        bool multiple;
        bool operator==(const Ack&) const = default;
    };
    struct Plan {
        std::vector<Ack> acks{};
        std::size_t stale = 0;
    };

    void begin_session();
    std::uint64_t record(std::uint64_t tag); // a delivery; its serial
    // Acknowledges the settled ones up to the first gap, by one frame. Those beyond it are held:
    // most gaps close within moments, and then one frame does for all of them.
    Plan acknowledge(std::span<const std::uint64_t> serials);
    std::vector<Ack> release(); // those that are held, each by a frame of its own
    std::size_t held() const noexcept { return held_.size(); }
    // The tag to negatively acknowledge; nothing when stale or settled before.
    std::optional<std::uint64_t> refuse(std::uint64_t serial);

    std::uint64_t last() const noexcept { return last_; } // highest serial so far
    bool is_stale(std::uint64_t serial) const noexcept { return serial <= base_; }
    std::size_t unsettled() const noexcept { return unsettled_; }

private:
    bool settle(std::uint64_t serial);

    std::uint64_t base_ = 0;   // serial = base_ + tag
    std::uint64_t last_ = 0;   // highest serial recorded
    std::uint64_t floor_ = 0;  // every serial up to here is settled
    std::deque<bool> settled_; // from floor_ + 1 on
    std::size_t unsettled_ = 0;
    std::vector<std::uint64_t> held_; // settled and not acknowledged, in order
};

} // namespace hive::bus::rabbitmq

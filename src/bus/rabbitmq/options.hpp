#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "kernel/clock.hpp"
#include "wire/names.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// What happened on a connection since it was opened; read from any thread.
struct Counters {
    std::atomic<std::uint64_t> reconnects{0};
    std::atomic<std::uint64_t> resent{0};     // unconfirmed when a session was lost
    std::atomic<std::uint64_t> refused{0};    // nacked by a full queue and offered again
    std::atomic<std::uint64_t> stale_acks{0}; // for deliveries of an earlier session
    std::atomic<std::uint64_t> malformed{0};  // bodies that were no work item
    std::atomic<std::uint64_t> dropped{0};    // refused items without a dead-letter queue
};

struct Options {
    Endpoint endpoint{};
    std::string name = "hive"; // shown by the broker's tools
    std::string control_exchange{wire::control_exchange};
    Duration request_timeout = std::chrono::seconds{10}; // of one topology call
    Duration backoff_first = std::chrono::milliseconds{100};
    Duration backoff_max = std::chrono::seconds{5};
    // The broker's max_message_size, whose default this is. Items and envelopes have smaller bounds
    // of their own: those of their decoders.
    std::size_t message_bytes_max = std::size_t{128} << 20U;
    std::size_t control_outbox = 8192; // envelopes that may wait while the broker is away
    // What people should know and no caller is told: dropped items, lost consumers. Called on a
    // thread of the bus; must not block.
    std::function<void(std::string_view)> on_notice{};
    std::shared_ptr<Counters> counters{}; // shared with whoever reads them
};

} // namespace hive::bus::rabbitmq

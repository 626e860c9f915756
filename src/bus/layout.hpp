#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::bus {

// Always a topic exchange: binding keys may hold `*` (one word) and `#` (any number of words).
struct Exchange {
    std::string name;
    bool durable = true;
};

// What happens to an item that finds its queue at `max_length`.
enum class Overflow : std::uint8_t {
    push_back,   // the publisher waits: nothing is lost, pressure travels upstream
    drop_oldest, // the item at the front goes (to the dead-letter queue, if there is one)
};

struct Queue {
    std::string name;
    bool durable = true;
    bool exclusive = false;   // only its connection may use it, and it goes with that connection
    bool auto_delete = false; // it goes with its last consumer
    std::optional<Duration> message_ttl{};
    std::optional<std::size_t> max_length{};
    Overflow overflow = Overflow::push_back;
    std::string dead_letter{}; // queue for expired, dropped and refused items; empty: they are gone

    bool operator==(const Queue&) const = default;
};

struct Binding {
    std::string exchange;
    std::string key;
    std::string queue;

    auto operator<=>(const Binding&) const = default;
};

// Declared in this order, each part harmless when it exists already with the same settings.
struct Layout {
    std::vector<Exchange> exchanges{};
    std::vector<Queue> queues{};
    std::vector<Binding> bindings{};
};

struct QueueStats {
    std::size_t depth = 0; // ready items; those delivered and not yet settled do not count
    std::size_t consumers = 0;
    std::optional<Duration> oldest_age{}; // of the item at the front, where the broker tells
};

} // namespace hive::bus

#pragma once

#include "colony/webhooks/endpoint.hpp"
#include "colony/webhooks/policy.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/random.hpp"
#include "kernel/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::webhooks {

enum class State : std::uint8_t { pending, delivered, failed };
std::string_view name_of(State state) noexcept;
Result<State> parse_state(std::string_view text);

// What became of one attempt.
struct Attempt {
    Timestamp at{};
    Duration took{};
    unsigned status = 0;  // 0: there was no answer
    std::string answer{}; // its first bytes, or why there was none

    bool operator==(const Attempt&) const = default;
};

// One event on its way to one endpoint.
struct Delivery {
    std::string id; // the receiver sees it as `webhook-id`, the same in every attempt
    std::string endpoint;
    std::string event;
    std::string payload{}; // {"type", "timestamp", "data"}
    State state = State::pending;
    Timestamp created{};
    std::optional<Timestamp> due{}; // the next attempt; none: it is over
    std::size_t tries = 0;          // since it was made, or replayed
    std::size_t attempts = 0;       // in all
    std::vector<Attempt> log{};     // the last of them

    bool operator==(const Delivery&) const = default;
};

// What a receiver answered, as far as it matters.
struct Reply {
    Attempt attempt{};
    std::optional<Duration> retry_after{};

    bool arrived() const noexcept { return attempt.status / 100 == 2; }
    bool gone() const noexcept { return attempt.status == 410; }
};

// Seconds or an HTTP date (RFC 9110, 10.2.3); nothing for anything else.
std::optional<Duration> parse_retry_after(std::string_view text, Timestamp now);

// When to try again after so many tries; nothing when that was the last one.
std::optional<Timestamp>
next_attempt(const Policy& policy, std::size_t tries, const Reply& reply, Random& random);

// What the attempt makes of both.
enum class Consequence : std::uint8_t { none, gone, failing };
struct Settled {
    Delivery delivery;
    Endpoint endpoint;
    Consequence consequence = Consequence::none; // the endpoint was disabled by this
};
Settled settle(Settled before, const Policy& policy, const Reply& reply, Random& random);

json::object to_json(const Delivery& delivery); // without the payload
Result<Delivery> delivery_from_stored(std::string_view text);

} // namespace hive::colony::webhooks

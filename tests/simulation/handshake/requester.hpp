#pragma once

#include "kernel/clock.hpp"
#include "tests/simulation/handshake/message.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace hive::simulation::handshake {

struct Sent {
    TimePoint again_at;
};
struct Accepted {};
struct Ended {
    std::uint64_t entry;
};
struct GivenUp {};

// A command tracked to its end.
struct Order {
    std::uint64_t attempts;
    Duration deadline; // since the clock's start
    std::variant<Sent, Accepted, Ended, GivenUp> stage;
};

struct RequesterState {
    std::map<std::string, Order> orders{}; // by key
    TimePoint next_order_at{};
};

struct ReactionHeard {
    Attempt attempt;
};
struct OutcomeHeard {
    Outcome outcome;
};
struct RequesterTick {};
using RequesterEvent = std::variant<ReactionHeard, OutcomeHeard, RequesterTick>;

struct SaveOrder {
    std::string key;
};
struct Send {
    Attempt attempt;
};
using RequesterEffect = std::variant<SaveOrder, Send>;

struct RequesterDecision {
    RequesterState next;
    std::vector<RequesterEffect> effects{}; // carried out in this order
};

struct RequesterSettings {
    std::size_t orders = 4;
    Duration order_every = std::chrono::seconds{3};
    Duration send_again_after = std::chrono::seconds{1};
    Duration give_up_after = std::chrono::minutes{10};
};

RequesterDecision decide(
    RequesterState state, const RequesterEvent& event, TimePoint now,
    const RequesterSettings& settings);

} // namespace hive::simulation::handshake

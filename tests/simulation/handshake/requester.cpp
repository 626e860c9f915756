#include "tests/simulation/handshake/requester.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <utility>

namespace hive::simulation::handshake {
namespace {

using Effects = std::vector<RequesterEffect>;

bool is_open(const Order& order) {
    return std::holds_alternative<Sent>(order.stage) ||
           std::holds_alternative<Accepted>(order.stage);
}

// The attempt is on disk before it leaves: a correlation id is never used twice.
void attempt(Effects& effects, const std::string& key, Order& order, TimePoint again_at) {
    ++order.attempts;
    order.stage = Sent{again_at};
    effects.emplace_back(SaveOrder{key});
    effects.emplace_back(Send{{fmt::format("{}.{}", key, order.attempts), key}});
}

Effects on_tick(RequesterState& state, TimePoint now, const RequesterSettings& settings) {
    Effects effects;
    const TimePoint again_at = now + settings.send_again_after;
    for (auto& [key, order] : state.orders) {
        if (is_open(order) && now.time_since_epoch() >= order.deadline) {
            order.stage = GivenUp{};
            effects.emplace_back(SaveOrder{key});
        }
        const auto* sent = std::get_if<Sent>(&order.stage);
        if (sent != nullptr && sent->again_at <= now) attempt(effects, key, order, again_at);
    }
    if (state.orders.size() < settings.orders && now >= state.next_order_at) {
        const auto key = fmt::format("order-{}", state.orders.size() + 1);
        const Duration deadline = now.time_since_epoch() + settings.give_up_after;
        auto& order = state.orders.emplace(key, Order{0, deadline, Sent{now}}).first->second;
        attempt(effects, key, order, again_at);
        state.next_order_at = now + settings.order_every;
    }
    return effects;
}

Effects on_reaction(RequesterState& state, const std::string& key) {
    const auto order = state.orders.find(key);
    if (order == state.orders.end()) return {};
    if (!std::holds_alternative<Sent>(order->second.stage)) return {};
    order->second.stage = Accepted{};
    return {SaveOrder{key}};
}

// Each attempt has its outcome; the first to arrive ends the order.
Effects on_outcome(RequesterState& state, const Outcome& outcome) {
    const auto order = state.orders.find(outcome.attempt.key);
    if (order == state.orders.end() || !is_open(order->second)) return {};
    order->second.stage = Ended{outcome.entry};
    return {SaveOrder{outcome.attempt.key}};
}

} // namespace

RequesterDecision decide(
    RequesterState state, const RequesterEvent& event, TimePoint now,
    const RequesterSettings& settings) {
    auto effects = std::visit(
        overloaded{
            [&](const ReactionHeard& heard) { return on_reaction(state, heard.attempt.key); },
            [&](const OutcomeHeard& heard) { return on_outcome(state, heard.outcome); },
            [&](const RequesterTick&) { return on_tick(state, now, settings); },
        },
        event);
    return {std::move(state), std::move(effects)};
}

} // namespace hive::simulation::handshake

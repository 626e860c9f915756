#include "bus/memory/ports.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus::memory {

Status MemoryControlBus::publish(ControlMessage message, Persistence) {
    if (auto open = session_->check_open(); !open) return open;
    const std::string exchange{wire::control_exchange};
    auto granted = session_->grants().may_publish(exchange, message.routing_key);
    if (!granted) return granted;
    if (message.body.size() > body_max_) {
        return fail(
            Errc::invalid, fmt::format(
                               "the body for '{}' has {} bytes, at most {} are allowed",
                               message.routing_key, message.body.size(), body_max_));
    }
    Switchboard& board = session_->board();
    const auto targets = board.resolve({exchange, message.routing_key});
    if (!targets) return fail(targets.error());
    const auto full = std::ranges::find_if(
        *targets, [](const QueuePtr& queue) { return queue->reserve(1) == 0; });
    if (full != targets->end()) {
        for (auto held = targets->begin(); held != full; ++held) (*held)->cancel(1);
        return fail(
            Errc::limit, fmt::format(
                             "queue '{}' is full; '{}' was not published", (*full)->settings().name,
                             message.routing_key));
    }
    const auto letter = std::make_shared<const ControlMessage>(std::move(message));
    const TimePoint now = board.now();
    for (const auto& queue : *targets) {
        Aftermath after;
        queue->push_reserved(letter, now, after);
        board.carry_out(queue, after);
    }
    return {};
}

Result<Subscription>
MemoryControlBus::consume(const std::string& queue, ControlHandler handler, std::size_t prefetch) {
    if (auto open = session_->check_open(); !open) return fail(open.error());
    if (auto granted = session_->grants().may_consume(queue); !granted)
        return fail(granted.error());
    if (prefetch == 0) {
        return fail(
            Errc::invalid, fmt::format("consumer of '{}': prefetch must be at least 1", queue));
    }
    auto found = session_->board().find(queue, session_->id());
    if (!found) return fail(found.error());
    const auto consumer = std::make_shared<Consumer>(*found, std::move(handler), prefetch);
    if (auto added = session_->add(consumer); !added) return fail(added.error());
    Aftermath after;
    if (!(*found)->add_consumer(consumer, after)) {
        if (auto open = session_->check_open(); !open) return fail(open.error());
        return fail(Errc::not_found, fmt::format("queue '{}' was removed", queue));
    }
    session_->board().carry_out(*found, after);
    return Subscription{[session = session_, consumer] { session->end(consumer); }};
}

Status MemoryControlBus::flush(Duration) {
    return session_->check_open();
}

} // namespace hive::bus::memory

// The part of a connection that declares, and declares anew after a session was lost.
#include "tests/simulation/connection.hpp"
#include "tests/simulation/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace hive::simulation {
namespace {

class NoWorkBus final : public bus::WorkBus {
public:
    Result<std::unique_ptr<bus::WorkSender>> open_sender(bus::SenderOptions) override {
        return refusal();
    }
    Result<std::unique_ptr<bus::WorkReceiver>> open_receiver(bus::ReceiverOptions) override {
        return refusal();
    }

private:
    static tl::unexpected<Error> refusal() {
        return fail(Errc::unavailable, "the simulated bus carries control traffic only");
    }
};

bool survives_session_and_restart(const bus::Queue& queue) {
    return queue.durable && !queue.exclusive && !queue.auto_delete;
}

template <class T>
void add_once(std::vector<T>& to, const T& value, auto same) {
    if (std::ranges::none_of(to, [&](const T& known) { return same(known, value); })) {
        to.push_back(value);
    }
}

} // namespace

bus::WorkBus& Connection::work() {
    static NoWorkBus none;
    return none;
}

Status Connection::reachable() const {
    if (link_ == bus::Link::closed) return fail(Errc::closed, "the connection was closed");
    if (link_ != bus::Link::up) return fail(Errc::unavailable, "the broker is away");
    return {};
}

Status Connection::effect(std::string_view what) {
    if (auto ok = reachable(); !ok) return ok;
    if (!life_.survives(what)) return fail(Errc::unavailable, "this component is dying");
    return {};
}

Status Connection::declare(const bus::Layout& layout) {
    if (auto ok = effect("declare"); !ok) return ok;
    auto done = network_.broker().declare(session_, layout);
    if (done) {
        for (const auto& queue : layout.queues) {
            network_.trace().line(network_.name_of(peer_), "declares {}", queue.name);
        }
        remember(layout);
    }
    return done;
}

// Durable objects are not declared again: if one is missing, somebody removed it on purpose.
void Connection::remember(const bus::Layout& layout) {
    for (const auto& exchange : layout.exchanges) {
        if (exchange.durable) continue;
        add_once(ephemeral_.exchanges, exchange, [](const auto& a, const auto& b) {
            return a.name == b.name;
        });
    }
    for (const auto& queue : layout.queues) {
        if (!survives_session_and_restart(queue)) {
            add_once(ephemeral_.queues, queue, std::equal_to<>{});
        }
    }
    for (const auto& binding : layout.bindings) {
        const bool of_ephemeral =
            std::ranges::find(ephemeral_.queues, binding.queue, &bus::Queue::name) !=
                ephemeral_.queues.end() ||
            std::ranges::find(ephemeral_.exchanges, binding.exchange, &bus::Exchange::name) !=
                ephemeral_.exchanges.end();
        if (of_ephemeral) add_once(ephemeral_.bindings, binding, std::equal_to<>{});
    }
}

void Connection::recover() {
    auto& broker = network_.broker();
    if (auto done = broker.declare(session_, ephemeral_); !done) {
        network_.trace().line(
            network_.name_of(peer_), "could not declare anew: {}", done.error().detail);
    }
    for (std::size_t local = 0; local < consumers_.size(); ++local) {
        Consumer& consumer = *consumers_[local];
        if (consumer.cancelled) continue;
        const auto id = broker.consume(session_, consumer.queue, consumer.prefetch);
        if (!id) {
            network_.trace().line(
                network_.name_of(peer_), "consumer does not resume: {}", id.error().detail);
            continue;
        }
        consumer.id = *id;
        network_.route_deliveries(*id, peer_, local);
        broker.resume(*id);
    }
}

Status Connection::bind(const bus::Binding& binding) {
    if (auto ok = effect("bind"); !ok) return ok;
    auto done = network_.broker().bind(session_, binding);
    if (done) remember({.bindings = {binding}});
    return done;
}

Status Connection::unbind(const bus::Binding& binding) {
    if (auto ok = effect("unbind"); !ok) return ok;
    std::erase(ephemeral_.bindings, binding);
    return network_.broker().unbind(session_, binding);
}

Status Connection::remove_queue(const std::string& name) {
    if (auto ok = effect("remove-queue"); !ok) return ok;
    std::erase_if(ephemeral_.queues, [&](const auto& queue) { return queue.name == name; });
    std::erase_if(ephemeral_.bindings, [&](const auto& binding) { return binding.queue == name; });
    network_.trace().line(network_.name_of(peer_), "removes {}", name);
    return network_.broker().remove_queue(session_, name);
}

Status Connection::remove_exchange(const std::string& name) {
    if (auto ok = effect("remove-exchange"); !ok) return ok;
    std::erase_if(ephemeral_.exchanges, [&](const auto& known) { return known.name == name; });
    std::erase_if(ephemeral_.bindings, [&](const auto& known) { return known.exchange == name; });
    network_.broker().remove_exchange(name);
    return {};
}

Result<bus::QueueStats> Connection::inspect(const std::string& queue) {
    if (auto ok = reachable(); !ok) return fail(ok.error());
    return network_.broker().inspect(session_, queue);
}

Result<std::size_t> Connection::purge(const std::string& queue) {
    if (auto ok = effect("purge"); !ok) return fail(ok.error());
    return network_.broker().purge(session_, queue);
}

} // namespace hive::simulation

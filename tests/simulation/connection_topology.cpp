// The part of a connection that declares, and declares again after a session was lost.
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

constexpr Duration resume_pause = std::chrono::milliseconds{100};
constexpr Duration resume_within = std::chrono::seconds{5};

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

void Connection::remember(const bus::Layout& layout) {
    const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
    for (const auto& exchange : layout.exchanges) {
        add_once(declared_.exchanges, exchange, same_name);
    }
    for (const auto& queue : layout.queues) add_once(declared_.queues, queue, same_name);
    for (const auto& binding : layout.bindings) {
        add_once(declared_.bindings, binding, std::equal_to<>{});
    }
}

// Each object by itself: what others changed in the meantime is told, not fought. A queue that
// somebody else removed comes back here, as it does on RabbitMQ.
void Connection::recover() {
    const auto declare_again = [this](const bus::Layout& one) {
        const auto done = network_.broker().declare(session_, one);
        if (done) return;
        network_.trace().line(
            network_.name_of(peer_), "after reconnecting: {}", done.error().detail);
    };
    for (const auto& exchange : declared_.exchanges) declare_again({.exchanges = {exchange}});
    for (const auto& queue : declared_.queues) declare_again({.queues = {queue}});
    for (const auto& binding : declared_.bindings) declare_again({.bindings = {binding}});
    const TimePoint until = network_.now() + resume_within;
    for (std::size_t local = 0; local < consumers_.size(); ++local) resume(local, until);
}

void Connection::resume(std::size_t local, TimePoint until) {
    Consumer& consumer = *consumers_[local];
    if (consumer.cancelled) return;
    const auto id = network_.broker().consume(session_, consumer.queue, consumer.prefetch);
    if (id) {
        consumer.id = *id;
        network_.route_deliveries(*id, peer_, local);
        return network_.broker().resume(*id);
    }
    if (network_.now() < until) {
        const auto again = [this, local, until] { resume(local, until); };
        return network_.while_linked(peer_, network_.now() + resume_pause, again);
    }
    network_.trace().line(
        network_.name_of(peer_), "consumer does not resume: {}", id.error().detail);
}

// Its last consumer here is gone, and with it perhaps the queue: not ours to bring back.
void Connection::forget_auto_delete(const std::string& queue) {
    const bool still_consumed = std::ranges::any_of(consumers_, [&](const auto& consumer) {
        return !consumer->cancelled && consumer->queue == queue;
    });
    if (still_consumed) return;
    const auto forgotten = std::erase_if(declared_.queues, [&](const auto& known) {
        return known.auto_delete && known.name == queue;
    });
    if (forgotten == 0) return;
    std::erase_if(declared_.bindings, [&](const auto& known) { return known.queue == queue; });
}

Status Connection::bind(const bus::Binding& binding) {
    if (auto ok = effect("bind"); !ok) return ok;
    auto done = network_.broker().bind(session_, binding);
    if (done) remember({.bindings = {binding}});
    return done;
}

Status Connection::unbind(const bus::Binding& binding) {
    if (auto ok = effect("unbind"); !ok) return ok;
    std::erase(declared_.bindings, binding);
    return network_.broker().unbind(session_, binding);
}

Status Connection::remove_queue(const std::string& name) {
    if (auto ok = effect("remove-queue"); !ok) return ok;
    std::erase_if(declared_.queues, [&](const auto& queue) { return queue.name == name; });
    std::erase_if(declared_.bindings, [&](const auto& binding) { return binding.queue == name; });
    network_.trace().line(network_.name_of(peer_), "removes {}", name);
    return network_.broker().remove_queue(session_, name);
}

Status Connection::remove_exchange(const std::string& name) {
    if (auto ok = effect("remove-exchange"); !ok) return ok;
    std::erase_if(declared_.exchanges, [&](const auto& known) { return known.name == name; });
    std::erase_if(declared_.bindings, [&](const auto& known) { return known.exchange == name; });
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

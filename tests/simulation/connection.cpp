#include "tests/simulation/connection.hpp"

#include "tests/simulation/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::simulation {

Connection::Connection(Network& network, PeerId peer, Life& life)
    : network_{network}, peer_{peer}, life_{life} {
    network_.plug(peer_, *this);
}

Connection::~Connection() {
    assert(link_ == bus::Link::closed); // whoever owns it says how it ended
}

Status Connection::close(Duration within) {
    if (link_ == bus::Link::closed) return {};
    Status flushed = flush(within);
    if (life_.dying()) return {};
    for (const auto& consumer : consumers_) consumer->cancelled = true;
    unsettled_.clear();
    network_.close(peer_);
    set_link(bus::Link::closed, "closed by its owner");
    return flushed;
}

void Connection::set_link(bus::Link link, std::string_view why) {
    if (link_ == link) return;
    link_ = link;
    network_.trace().line(network_.name_of(peer_), "link {}: {}", bus::name_of(link), why);
    if (listener_ && !life_.dying()) listener_(link, why);
}

void Connection::connected(SessionId session) {
    session_ = session;
    // Consumers first and the listener last: what it does must find the connection whole.
    recover();
    for (Outgoing& outgoing : outbox_) network_.send(peer_, outgoing);
    set_link(bus::Link::up, "connected");
}

void Connection::disconnected(std::string_view why) {
    forget_confirmed();
    Dice& dice = network_.dice();
    while (arrived_ > 0) {
        // The broker has it and the confirm is lost: it will be sent, and taken, a second time.
        Outgoing& unconfirmed = outbox_[--arrived_];
        unconfirmed.confirmed_at = TimePoint::max();
        if (dice.stormy(Fault::duplicate)) {
            dice.happened(Fault::duplicate);
        } else {
            outbox_.erase(outbox_.begin() + static_cast<std::ptrdiff_t>(arrived_));
        }
    }
    settlements_.clear();
    unsettled_.clear();
    for (const auto& consumer : consumers_) {
        consumer->coming.clear();
        consumer->id.reset();
    }
    set_link(bus::Link::away, why);
}

void Connection::die(bool sent_already_arrives) {
    if (link_ == bus::Link::up && sent_already_arrives) {
        accept_now(unsent());
        for (Settlement& settlement : settlements_) settlement.arrives_at = network_.now();
        settlements_due();
    }
    link_ = bus::Link::closed;
}

void Connection::forget_confirmed() {
    while (arrived_ > 0 && outbox_.front().confirmed_at <= network_.now()) {
        outbox_.pop_front();
        --arrived_;
    }
}

Status Connection::publish(bus::ControlMessage message, bus::Persistence persistence) {
    if (link_ == bus::Link::closed) return fail(Errc::closed, "the connection was closed");
    forget_confirmed();
    if (outbox_.size() >= outbox_max) {
        return fail(
            Errc::limit, fmt::format("{} messages wait for the broker already", outbox_max));
    }
    if (!life_.survives("publish")) return {};
    network_.trace().line(
        network_.name_of(peer_), "publish {} {}{}", message.routing_key, short_text(message.body),
        persistence == bus::Persistence::transient ? " (transient)" : "");
    outbox_.push_back(
        {std::make_shared<const bus::ControlMessage>(std::move(message)), persistence});
    if (link_ == bus::Link::up) network_.send(peer_, outbox_.back());
    return {};
}

void Connection::accept_now(std::size_t count) {
    for (; count > 0 && unsent() > 0; --count) {
        Outgoing& outgoing = outbox_[arrived_];
        if (!network_.take(peer_, outgoing)) return;
        outgoing.confirmed_at = network_.now() + network_.dice().latency();
        ++arrived_;
    }
}

void Connection::arrivals_due() {
    forget_confirmed();
    std::size_t due = 0;
    while (due < unsent() && outbox_[arrived_ + due].arrives_at <= network_.now()) ++due;
    const std::size_t before = unsent();
    accept_now(due);
    // A full queue pushes back: the rest waits and is tried again.
    if (before - unsent() < due) network_.send_again(peer_, outbox_[arrived_]);
}

Status Connection::flush(Duration within) {
    if (link_ == bus::Link::closed) return fail(Errc::closed, "the connection was closed");
    if (life_.dying()) return {};
    // No virtual time passes inside a call, so a wait is over at once: everything under way
    // arrives now, or, when that cannot be, the deadline is taken to have passed.
    if (link_ == bus::Link::up && !network_.cuts_during_flush(peer_)) {
        accept_now(unsent());
        if (unsent() == 0) {
            outbox_.clear();
            arrived_ = 0;
            return {};
        }
    }
    return fail(
        Errc::timeout,
        fmt::format(
            "{} of {} messages were not confirmed within {} ms", unsent(), outbox_.size(),
            std::chrono::duration_cast<std::chrono::milliseconds>(within).count()));
}

Result<Subscription>
Connection::consume(const std::string& queue, bus::ControlHandler handler, std::size_t prefetch) {
    if (auto ok = effect("consume"); !ok) return fail(ok.error());
    const auto id = network_.broker().consume(session_, queue, prefetch);
    if (!id) return fail(id.error());
    const std::size_t local = consumers_.size();
    consumers_.push_back(std::make_unique<Consumer>(
        Consumer{.queue = queue, .handler = std::move(handler), .prefetch = prefetch, .id = *id}));
    network_.trace().line(network_.name_of(peer_), "consumes {}", queue);
    network_.route_deliveries(*id, peer_, local);
    network_.broker().resume(*id);
    return Subscription{[this, local] { cancel(local); }};
}

void Connection::cancel(std::size_t local) {
    if (link_ == bus::Link::closed || life_.dying()) return;
    Consumer& consumer = *consumers_[local];
    consumer.cancelled = true;
    forget_auto_delete(consumer.queue);
    const auto id = std::exchange(consumer.id, std::nullopt);
    if (!id) return;
    network_.broker().cancel(*id);
    for (const Incoming& incoming : std::exchange(consumer.coming, {})) {
        network_.broker().settle(*id, incoming.tag, false);
    }
}

void Connection::expect(std::size_t local, Incoming incoming) {
    consumers_[local]->coming.push_back(std::move(incoming));
}

TimePoint Connection::next_delivery(std::size_t local, TimePoint earliest, Duration gap) {
    TimePoint& last = consumers_[local]->last_delivery;
    last = std::max(last + gap, earliest);
    return last;
}

void Connection::deliver(std::size_t local) {
    Consumer& consumer = *consumers_[local];
    if (consumer.coming.empty()) return; // cancelled meanwhile, or handed back
    Incoming incoming = std::move(consumer.coming.front());
    consumer.coming.pop_front();
    const auto& message = *incoming.message;
    network_.trace().line(
        network_.name_of(peer_), "gets #{} {} {}{}", incoming.tag, message.routing_key,
        short_text(message.body), incoming.redelivered ? " (redelivered)" : "");
    unsettled_.push_back({incoming.tag, *consumer.id});
    const std::uint64_t tag = incoming.tag;
    consumer.handler({message, incoming.redelivered, [this, tag](bool ack) { settle(tag, ack); }});
}

void Connection::settle(std::uint64_t tag, bool ack) {
    const auto found = std::ranges::find(unsettled_, tag, &Unsettled::tag);
    if (found == unsettled_.end()) return; // of an earlier session: the broker has it back
    const ConsumerId consumer = found->consumer;
    unsettled_.erase(found);
    if (link_ != bus::Link::up || !life_.survives(ack ? "ack" : "requeue")) return;
    network_.trace().line(network_.name_of(peer_), "{} #{}", ack ? "ack" : "requeue", tag);
    settlements_.push_back({consumer, tag, ack, {}});
    network_.send(peer_, settlements_.back());
}

void Connection::settlements_due() {
    while (!settlements_.empty() && settlements_.front().arrives_at <= network_.now()) {
        const Settlement settlement = settlements_.front();
        settlements_.pop_front();
        network_.broker().settle(settlement.consumer, settlement.tag, settlement.ack);
    }
}

void Connection::lose_consumer(std::size_t local) {
    Consumer& consumer = *consumers_[local];
    consumer.id.reset();
    consumer.coming.clear();
    network_.trace().line(
        network_.name_of(peer_), "consumer of {} ends: the queue is gone", consumer.queue);
}

} // namespace hive::simulation

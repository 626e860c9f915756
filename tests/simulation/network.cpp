#include "tests/simulation/network.hpp"

#include <algorithm>
#include <utility>

namespace hive::simulation {
namespace {

using namespace std::chrono_literals;

constexpr Duration retry_full_queue = 20ms;

} // namespace

PeerId Network::join(std::string name) {
    peers_.push_back({.name = std::move(name)});
    return static_cast<PeerId>(peers_.size() - 1);
}

void Network::send(PeerId id, Connection::Outgoing& outgoing) {
    arrive_after(parts_.dice.latency() + parts_.dice.hold_back(), id, outgoing);
}

void Network::send_again(PeerId id, Connection::Outgoing& outgoing) {
    arrive_after(retry_full_queue, id, outgoing);
}

void Network::arrive_after(Duration wait, PeerId id, Connection::Outgoing& outgoing) {
    Peer& peer = peers_[id];
    peer.last_publish = std::max(peer.last_publish, now() + wait);
    outgoing.arrives_at = peer.last_publish;
    parts_.agenda.schedule(
        outgoing.arrives_at, [this, id, epoch = peer.epoch] { publishes_due(id, epoch); });
}

void Network::publishes_due(PeerId id, std::uint32_t epoch) {
    if (peers_[id].epoch == epoch) peers_[id].connection->arrivals_due();
}

void Network::send(PeerId id, Connection::Settlement& settlement) {
    Peer& peer = peers_[id];
    peer.last_settlement = std::max(peer.last_settlement, now() + parts_.dice.latency());
    settlement.arrives_at = peer.last_settlement;
    parts_.agenda.schedule(
        settlement.arrives_at, [this, id, epoch = peer.epoch] { settlements_due(id, epoch); });
}

void Network::settlements_due(PeerId id, std::uint32_t epoch) {
    if (peers_[id].epoch == epoch) peers_[id].connection->settlements_due();
}

bool Network::take(PeerId id, const Connection::Outgoing& outgoing) {
    const auto& message = *outgoing.message;
    if (!broker_.has_room_for(message.routing_key)) {
        parts_.trace.line("broker", "pushes back {}: a queue is full", message.routing_key);
        return false;
    }
    Dice& dice = parts_.dice;
    if (outgoing.persistence == bus::Persistence::transient &&
        dice.strikes(Fault::loss, dice.rates().loss)) {
        parts_.trace.fault("broker", "loses {}", message.routing_key);
        return true;
    }
    observe({.from = peers_[id].name, .message = message, .copy = false});
    const std::size_t queues = broker_.accept(outgoing.message, outgoing.persistence);
    parts_.trace.line("broker", "takes {} into {} queues", message.routing_key, queues);
    if (dice.strikes(Fault::duplicate, dice.rates().duplicate)) duplicate_later(id, outgoing);
    return true;
}

void Network::duplicate_later(PeerId id, const Connection::Outgoing& outgoing) {
    const Duration wait = parts_.dice.between(Fault::duplicate, 1ms, 2s);
    parts_.agenda.schedule(now() + wait, [this, id, outgoing] {
        if (!broker_up_) return;
        parts_.trace.fault("broker", "takes {} a second time", outgoing.message->routing_key);
        observe({.from = peers_[id].name, .message = *outgoing.message, .copy = true});
        broker_.accept(outgoing.message, outgoing.persistence);
    });
}

void Network::observe(const Sighting& sighting) {
    for (const Observer& observer : observers_) observer(sighting);
}

void Network::route_deliveries(ConsumerId consumer, PeerId peer, std::size_t local) {
    const auto index = static_cast<std::size_t>(consumer);
    if (endpoints_.size() <= index) endpoints_.resize(index + 1);
    endpoints_[index] = {peer, local, peers_[peer].epoch};
}

void Network::hand_over(ConsumerId consumer, std::uint64_t tag, const Parcel& parcel) {
    const Endpoint endpoint = endpoints_[static_cast<std::size_t>(consumer)];
    Peer& peer = peers_[endpoint.peer];
    // The broker may go on sending to a peer that is gone until it notices.
    if (endpoint.epoch != peer.epoch) return;
    const Duration wait = parts_.dice.latency() + parts_.dice.hold_back();
    if (peer.per_delivery > Duration{0}) parts_.dice.happened(Fault::slow_consumer);
    const TimePoint at =
        peer.connection->next_delivery(endpoint.local, now() + wait, peer.per_delivery);
    peer.connection->expect(endpoint.local, {tag, parcel.message, parcel.redelivered});
    parts_.agenda.schedule(
        at, [this, consumer, epoch = peer.epoch] { delivery_due(consumer, epoch); });
}

void Network::delivery_due(ConsumerId consumer, std::uint32_t epoch) {
    const Endpoint endpoint = endpoints_[static_cast<std::size_t>(consumer)];
    const Peer& peer = peers_[endpoint.peer];
    if (peer.epoch == epoch) peer.connection->deliver(endpoint.local);
}

void Network::consumer_lost(ConsumerId consumer) {
    const Endpoint endpoint = endpoints_[static_cast<std::size_t>(consumer)];
    const Peer& peer = peers_[endpoint.peer];
    if (endpoint.epoch == peer.epoch) peer.connection->lose_consumer(endpoint.local);
}

void Network::expire_later(const std::string& queue, TimePoint at) {
    parts_.agenda.schedule(at, [this, queue] { broker_.expire(queue); });
}

std::uint64_t Network::place_of_return(const Parcel& parcel, const std::deque<Parcel>& ready) {
    if (ready.empty() || !parts_.dice.strikes(Fault::reorder, 0.5)) return parcel.place;
    return ready[parts_.dice.pick(Fault::reorder, ready.size())].place;
}

} // namespace hive::simulation

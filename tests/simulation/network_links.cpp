// The part of the network that cuts and mends: sessions, partitions, broker restarts.
#include "tests/simulation/network.hpp"

#include <cassert>
#include <utility>

namespace hive::simulation {
namespace {

using namespace std::chrono_literals;

} // namespace

void Network::plug(PeerId id, Connection& connection) {
    assert(peers_[id].connection == nullptr);
    peers_[id].connection = &connection;
    link_up(id);
}

void Network::unplug(PeerId id) {
    Peer& peer = peers_[id];
    Connection* connection = std::exchange(peer.connection, nullptr);
    assert(connection != nullptr);
    const bool was_linked = std::exchange(peer.linked, false);
    ++peer.epoch;
    // What a process wrote before it died may be in the socket still.
    connection->die(was_linked && parts_.dice.pick(Fault::crash, 2) == 0);
    if (was_linked) end_session_later(connection->session());
}

void Network::close(PeerId id) {
    Peer& peer = peers_[id];
    ++peer.epoch;
    if (std::exchange(peer.linked, false)) broker_.end_session(peer.connection->session());
}

void Network::end_session_later(SessionId session) {
    const Duration wait = parts_.dice.noticed_in();
    if (wait == Duration{0}) return broker_.end_session(session);
    parts_.agenda.schedule(now() + wait, [this, session] {
        parts_.trace.line("broker", "notices that a peer is gone");
        broker_.end_session(session);
    });
}

void Network::link_down(PeerId id, std::string_view why) {
    Peer& peer = peers_[id];
    if (!std::exchange(peer.linked, false)) return;
    ++peer.epoch;
    peer.connection->disconnected(why);
}

void Network::link_up(PeerId id) {
    Peer& peer = peers_[id];
    const bool possible = broker_up_ && !peer.cut && peer.connection != nullptr && !peer.linked &&
                          peer.connection->link() != bus::Link::closed;
    if (!possible) return;
    // The broker may not have noticed yet that the session before was lost.
    broker_.end_session(peer.connection->session());
    ++peer.epoch;
    peer.linked = true;
    peer.last_publish = peer.last_settlement = now();
    peer.connection->connected(SessionId{next_session_++});
}

void Network::link_up_later(PeerId id) {
    const Duration backoff = parts_.dice.between(Fault::partition, 1ms, 500ms);
    parts_.agenda.schedule(now() + backoff, [this, id] { link_up(id); });
}

void Network::cut(PeerId id, Duration how_long) {
    Peer& peer = peers_[id];
    const std::uint64_t this_cut = ++peer.cuts;
    parts_.trace.fault(peer.name, "is cut from the broker");
    peer.cut = true;
    if (peer.linked) {
        end_session_later(peer.connection->session());
        link_down(id, "cut from the broker");
    }
    parts_.agenda.schedule(now() + how_long, [this, id, this_cut] {
        if (peers_[id].cuts == this_cut) heal(id);
    });
}

void Network::heal(PeerId id) {
    if (!std::exchange(peers_[id].cut, false)) return;
    parts_.trace.fault(peers_[id].name, "can reach the broker again");
    link_up_later(id);
}

void Network::while_linked(PeerId id, TimePoint at, Agenda::Action action) {
    parts_.agenda.schedule(at, [this, id, epoch = peers_[id].epoch, action = std::move(action)] {
        if (peers_[id].epoch == epoch) action();
    });
}

bool Network::cuts_during_flush(PeerId id) {
    Dice& dice = parts_.dice;
    if (!dice.strikes(Fault::partition, dice.rates().cut_during_flush)) return false;
    // Some of what waits has arrived, and nobody on this side knows how much.
    peers_[id].connection->accept_now(dice.pick(Fault::partition, 4));
    cut(id, dice.between(Fault::partition, 1ms, dice.rates().longest_absence));
    return true;
}

void Network::restart_broker(Duration downtime) {
    if (!std::exchange(broker_up_, false)) return;
    parts_.trace.fault("broker", "goes down");
    for (PeerId id = 0; id < peers_.size(); ++id) link_down(id, "the broker went down");
    broker_.restart();
    parts_.agenda.schedule(now() + downtime, [this] { broker_up(); });
}

void Network::broker_up() {
    if (std::exchange(broker_up_, true)) return;
    parts_.trace.fault("broker", "is up again");
    for (PeerId id = 0; id < peers_.size(); ++id) link_up_later(id);
}

void Network::slow_down(PeerId id, Duration per_delivery, Duration how_long) {
    Peer& peer = peers_[id];
    const std::uint64_t this_time = ++peer.slowdowns;
    parts_.trace.fault(peer.name, "becomes slow");
    peer.per_delivery = per_delivery;
    parts_.agenda.schedule(now() + how_long, [this, id, this_time] {
        if (peers_[id].slowdowns == this_time) peers_[id].per_delivery = Duration{0};
    });
}

void Network::calm() {
    broker_up();
    for (PeerId id = 0; id < peers_.size(); ++id) {
        heal(id);
        peers_[id].per_delivery = Duration{0};
    }
}

} // namespace hive::simulation

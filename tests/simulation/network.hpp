#pragma once

#include "tests/simulation/agenda.hpp"
#include "tests/simulation/broker.hpp"
#include "tests/simulation/connection.hpp"
#include "tests/simulation/faults.hpp"
#include "tests/simulation/trace.hpp"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation {

// A message the broker took, as an observer outside all components sees it.
struct Sighting {
    std::string_view from;
    const bus::ControlMessage& message;
    bool copy; // made by the simulator: its publisher sent it once
};

// The paths between components and the broker: how long everything takes and what goes wrong.
class Network final : public BrokerSurroundings {
public:
    struct Parts {
        Agenda& agenda;
        const Clock& clock;
        Dice& dice;
        const Trace& trace;
    };
    using Observer = std::function<void(const Sighting&)>;

    explicit Network(Parts parts) : parts_{parts}, broker_{*this} {}

    PeerId join(std::string name);
    const std::string& name_of(PeerId peer) const { return peers_[peer].name; }
    void watch(Observer observer) { observers_.push_back(std::move(observer)); }
    Broker& broker() noexcept { return broker_; }

    // What can go wrong. Each ends by itself; calm() ends all of them at once.
    void cut(PeerId peer, Duration how_long);
    void restart_broker(Duration downtime);
    void slow_down(PeerId peer, Duration per_delivery, Duration how_long);
    void calm();
    bool is_cut(PeerId peer) const { return peers_[peer].cut; }
    bool broker_is_up() const noexcept { return broker_up_; }

    // For connections.
    void plug(PeerId peer, Connection& connection);
    void unplug(PeerId peer); // its process died
    void close(PeerId peer);  // its owner closed it
    void send(PeerId peer, Connection::Outgoing& outgoing);
    void send_again(PeerId peer, Connection::Outgoing& outgoing); // a queue was full
    void send(PeerId peer, Connection::Settlement& settlement);
    bool take(PeerId peer, const Connection::Outgoing& outgoing); // false: a queue has no room
    void route_deliveries(ConsumerId consumer, PeerId peer, std::size_t local);
    bool cuts_during_flush(PeerId peer);
    void while_linked(PeerId peer, TimePoint at, Agenda::Action action); // dropped with the link
    Dice& dice() const noexcept { return parts_.dice; }
    const Trace& trace() const noexcept { return parts_.trace; }

    TimePoint now() const override { return parts_.clock.now(); }
    void hand_over(ConsumerId consumer, std::uint64_t tag, const Parcel& parcel) override;
    void consumer_lost(ConsumerId consumer) override;
    void expire_later(const std::string& queue, TimePoint at) override;
    std::uint64_t place_of_return(const Parcel& parcel, const std::deque<Parcel>& ready) override;

private:
    struct Peer {
        std::string name;
        Connection* connection = nullptr; // while its component lives
        std::uint32_t epoch = 0;          // what was under way in an earlier epoch is lost
        bool cut = false;
        bool linked = false;
        std::uint64_t cuts = 0; // tells the end of a later cut from that of an earlier one
        std::uint64_t slowdowns = 0;
        Duration per_delivery{0};
        TimePoint last_publish{};
        TimePoint last_settlement{};
    };
    struct Endpoint {
        PeerId peer = 0;
        std::size_t local = 0;
        std::uint32_t epoch = 0; // a consumer of an earlier one leads nowhere
    };

    void link_down(PeerId peer, std::string_view why);
    void link_up_later(PeerId peer);
    void link_up(PeerId peer);
    void heal(PeerId peer);
    void end_session_later(SessionId session);
    void broker_up();
    void arrive_after(Duration wait, PeerId peer, Connection::Outgoing& outgoing);
    void publishes_due(PeerId peer, std::uint32_t epoch);
    void settlements_due(PeerId peer, std::uint32_t epoch);
    void delivery_due(ConsumerId consumer, std::uint32_t epoch);
    void duplicate_later(PeerId peer, const Connection::Outgoing& outgoing);
    void observe(const Sighting& sighting);

    Parts parts_;
    std::deque<Peer> peers_;          // a reference stays valid when a component joins
    std::vector<Endpoint> endpoints_; // by consumer
    std::vector<Observer> observers_;
    std::uint32_t next_session_ = 1;
    bool broker_up_ = true;
    Broker broker_;
};

} // namespace hive::simulation

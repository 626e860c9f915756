#pragma once

#include "bus/connection.hpp"
#include "tests/simulation/broker.hpp"
#include "tests/simulation/life.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation {

class Network;
using PeerId = std::uint32_t;

// A component's end of its connection: what an adapter keeps in its own process. It dies with the
// component. Like the real adapters it waits out an absent broker with a bounded outbox, sends
// again what was not confirmed, declares again what it had declared, and resumes its consumers.
class Connection final : public bus::Connection, private bus::Topology, private bus::ControlBus {
public:
    static constexpr std::size_t outbox_max = 1000;

    Connection(Network& network, PeerId peer, Life& life);
    ~Connection() override;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    bus::Topology& topology() override { return *this; }
    bus::ControlBus& control() override { return *this; }
    bus::WorkBus& work() override; // refuses: the simulator carries control traffic
    bus::Link link() const override { return link_; }
    Status close(Duration within) override;
    void on_link(bus::LinkListener listener) { listener_ = std::move(listener); }

    // Below: for the network.
    struct Outgoing {
        std::shared_ptr<const bus::ControlMessage> message;
        bus::Persistence persistence;
        TimePoint arrives_at{};
        TimePoint confirmed_at = TimePoint::max();
    };
    struct Incoming {
        std::uint64_t tag;
        std::shared_ptr<const bus::ControlMessage> message;
        bool redelivered;
    };
    struct Settlement {
        ConsumerId consumer;
        std::uint64_t tag;
        bool ack;
        TimePoint arrives_at;
    };

    SessionId session() const noexcept { return session_; }
    void connected(SessionId session); // the broker is there: recover topology, consumers, outbox
    void disconnected(std::string_view why);
    void die(bool sent_already_arrives);
    void arrivals_due();    // publishes whose time has come reach the broker
    void settlements_due(); // likewise acknowledgements
    void accept_now(std::size_t count);

    void expect(std::size_t local, Incoming incoming); // on its way to the consumer
    TimePoint next_delivery(std::size_t local, TimePoint earliest, Duration gap);
    void deliver(std::size_t local);
    void lose_consumer(std::size_t local);
    void resume(std::size_t local, TimePoint until); // an absent queue has until then to come back

private:
    struct Consumer {
        std::string queue;
        bus::ControlHandler handler; // kept when cancelled: it may be running just then
        std::size_t prefetch;
        std::optional<ConsumerId> id{}; // while a session carries it
        std::deque<Incoming> coming{};
        TimePoint last_delivery{};
        bool cancelled = false;
    };

    struct Unsettled {
        std::uint64_t tag;
        ConsumerId consumer;
    };

    Status declare(const bus::Layout& layout) override;
    Status bind(const bus::Binding& binding) override;
    Status unbind(const bus::Binding& binding) override;
    Status remove_queue(const std::string& name) override;
    Status remove_exchange(const std::string& name) override;
    Result<bus::QueueStats> inspect(const std::string& queue) override;
    Result<std::size_t> purge(const std::string& queue) override;

    Status publish(bus::ControlMessage message, bus::Persistence persistence) override;
    Result<Subscription>
    consume(const std::string& queue, bus::ControlHandler handler, std::size_t prefetch) override;
    Status flush(Duration within) override;

    Status reachable() const;
    Status effect(std::string_view what); // reachable, and alive for it
    void remember(const bus::Layout& layout);
    void recover();
    void forget_auto_delete(const std::string& queue);
    void set_link(bus::Link link, std::string_view why);
    void forget_confirmed();
    std::size_t unsent() const noexcept { return outbox_.size() - arrived_; }
    void cancel(std::size_t local);
    void settle(std::uint64_t tag, bool ack);

    Network& network_;
    PeerId peer_;
    Life& life_;
    SessionId session_{};
    bus::Link link_ = bus::Link::away;
    bus::LinkListener listener_;
    bus::Layout declared_;             // here, and not removed here since
    std::deque<Outgoing> outbox_;      // accepted and not confirmed
    std::size_t arrived_ = 0;          // of those, from the front, the broker has
    std::vector<Unsettled> unsettled_; // in the component's hands in this session
    std::deque<Settlement> settlements_;
    std::vector<std::unique_ptr<Consumer>> consumers_; // never shrinks: an index stays valid
};

} // namespace hive::simulation

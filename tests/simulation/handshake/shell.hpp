#pragma once

#include "kernel/subscription.hpp"
#include "tests/simulation/component.hpp"
#include "tests/simulation/handshake/performer.hpp"
#include "tests/simulation/handshake/requester.hpp"

#include <string>
#include <string_view>

namespace hive::simulation::handshake {

// A durable queue of one's own and a steady tick; tries again until the broker lets it.
class Mailbox {
public:
    struct Address {
        std::string queue;
        std::string key; // binding on the control exchange
    };
    Mailbox(Host& host, Address address, bus::ControlHandler handler);
    void open();
    void publish(const Message& message, bus::Persistence persistence);

private:
    Status try_open();

    Host& host_;
    Address address_;
    bus::ControlHandler handler_;
    Subscription subscription_;
};

class Performer final : public Component {
public:
    Performer(Host& host, PerformerSettings settings);

private:
    void heard(bus::ControlDelivery delivery);
    void tick();
    void on(const PerformerEvent& event, bus::ControlDelivery* delivery = nullptr);
    void announce(const Outcome& outcome);

    Host& host_;
    PerformerSettings settings_;
    PerformerState state_;
    Mailbox mailbox_;
};

class Requester final : public Component {
public:
    Requester(Host& host, RequesterSettings settings);

private:
    void heard(bus::ControlDelivery delivery);
    void tick();
    void on(const RequesterEvent& event);

    Host& host_;
    RequesterSettings settings_;
    RequesterState state_;
    Mailbox mailbox_;
};

} // namespace hive::simulation::handshake

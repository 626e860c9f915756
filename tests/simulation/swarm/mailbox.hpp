#pragma once

#include "kernel/subscription.hpp"
#include "tests/simulation/component.hpp"
#include "wire/envelope.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hive::simulation::swarm {

// A control queue of one's own and a way to publish; tries again until the broker lets it.
class Mailbox {
public:
    struct Address {
        std::string queue;
        std::vector<std::string> keys; // bindings on the control exchange
        bool durable = true;
        std::string own{}; // end of the routing keys of one's own messages, which are not read
    };
    using Reader = std::function<void(wire::Envelope)>;

    Mailbox(Host& host, Address address, Reader reader);
    void open();
    void publish(const wire::Envelope& envelope);

private:
    Status try_open();
    void heard(bus::ControlDelivery delivery);

    Host& host_;
    Address address_;
    Reader reader_;
    Subscription subscription_;
};

} // namespace hive::simulation::swarm

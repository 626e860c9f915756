#pragma once

#include "bus/connection.hpp"
#include "kernel/subscription.hpp"
#include "loop/strand.hpp"
#include "wire/envelope.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::control {

// The queue of one party on the control plane.
struct Address {
    std::string queue;
    std::vector<std::string> keys; // that bind it to the control exchange
    bool durable = true;
    std::string own{}; // end of the routing keys of one's own events, which are not read
    std::size_t prefetch = 64;
};

// What a party does with what it hears; called on its strand.
struct Readers {
    std::function<void(const wire::Envelope&)> heard;
    std::function<void(std::string_view key, std::string_view reason)> rejected{};
};

// How a party hears and speaks. A message is acknowledged once `heard` has returned: what it led to
// has then been handed over. What does not follow the contract is rejected and acknowledged.
class Mailbox {
public:
    // `strand` runs the readers and is closed by its owner before this goes.
    Mailbox(bus::Connection& bus, loop::Strand& strand, Address address, Readers readers);

    // Declares and listens; tries again until the broker lets it, then calls `opened` once. On the
    // strand, like say().
    void open(std::function<void()> opened);

    // Errc::limit when too much waits for a broker that is away.
    Status say(const wire::Envelope& envelope);

    const Address& address() const noexcept { return address_; }
    void stop_listening() { subscription_.reset(); }

private:
    Status try_open();
    void take(bus::ControlDelivery& delivery);

    bus::Connection& bus_;
    loop::Strand& strand_;
    Address address_;
    Readers readers_;
    Subscription subscription_;
};

} // namespace hive::control

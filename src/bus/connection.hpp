#pragma once

#include "bus/control_bus.hpp"
#include "bus/topology.hpp"
#include "bus/work_bus.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hive::bus {

enum class Link : std::uint8_t {
    up,
    blocked, // the broker takes no publishes for now (memory or disk alarm)
    away,    // lost; the adapter is reconnecting
    closed,  // closed by its owner
};

std::string_view name_of(Link link) noexcept;

// Told of each change with a reason for people. Called on a thread of the bus; must not block.
using LinkListener = std::function<void(Link link, std::string_view why)>;

// One party's connection to a broker, with that party's rights.
class Connection {
public:
    virtual ~Connection() = default;

    virtual Topology& topology() = 0;
    virtual ControlBus& control() = 0;
    virtual WorkBus& work() = 0;
    virtual Link link() const = 0;

    // Stops consumers, returns unsettled items, sends what was accepted. Senders, receivers and
    // subscriptions may outlive it and then answer Errc::closed. Repeating it is harmless.
    virtual Status close(Duration within) = 0;
};

} // namespace hive::bus

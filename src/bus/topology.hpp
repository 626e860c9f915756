#pragma once

#include "bus/layout.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <string>

namespace hive::bus {

// The broker's objects. Every call ends within the adapter's request timeout: Errc::unavailable
// when the broker is away, Errc::denied when this connection may not touch the object.
class Topology {
public:
    virtual ~Topology() = default;

    // Errc::conflict when an object exists with other settings; what came before it stays declared.
    virtual Status declare(const Layout& layout) = 0;
    virtual Status bind(const Binding& binding) = 0;
    virtual Status unbind(const Binding& binding) = 0;

    // Removing what is not there succeeds: a removal may be repeated.
    virtual Status remove_queue(const std::string& name) = 0;
    virtual Status remove_exchange(const std::string& name) = 0;

    // Errc::not_found when the queue does not exist: a missing queue is never an empty one.
    virtual Result<QueueStats> inspect(const std::string& queue) = 0;
    virtual Result<std::size_t> purge(const std::string& queue) = 0; // how many ready items went
};

} // namespace hive::bus

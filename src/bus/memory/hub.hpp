#pragma once

#include "bus/connection.hpp"
#include "bus/grants.hpp"
#include "bus/memory/options.hpp"
#include "kernel/clock.hpp"

#include <cstdint>
#include <memory>

namespace hive::bus::memory {

class Switchboard;

// The embedded broker: lives and dies with its process, keeps nothing on disk. Once it is destroyed
// no control handler runs; close its connections first to have unsettled messages returned.
class Hub {
public:
    // The clock tells message ages and expiry and must outlive everything made from the hub.
    explicit Hub(const Clock& clock, Options options = {});
    ~Hub();
    Hub(const Hub&) = delete;
    Hub& operator=(const Hub&) = delete;

    std::unique_ptr<Connection> connect(Grants grants, LinkListener listener = {});

    // Messages that a dead-letter queue was set up for but could not take.
    std::uint64_t lost() const;

private:
    const Options options_;
    // Shared with the connections: a delivery may be settled when the hub is gone.
    const std::shared_ptr<Switchboard> board_;
};

} // namespace hive::bus::memory

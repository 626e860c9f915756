#pragma once

#include "kernel/result.hpp"
#include "orchestrator/journal.hpp"
#include "orchestrator/state.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace hive::orchestrator {

// Rides along in the transaction of what somebody asked for, such as its audit entry. Only the
// keeper and whoever made it know what it is.
class Rider {
public:
    virtual ~Rider() = default;
};
using RiderPtr = std::shared_ptr<const Rider>;

// What one turn of the queen leaves behind: all of it is kept, or nothing.
struct Batch {
    std::vector<Swarm> swarms{};
    std::vector<SwarmId> forgotten{}; // their journal stays
    std::vector<AskRecord> asks{};
    std::vector<Ended> endings{}; // of these asks, or of earlier ones
    std::vector<JournalEntry> entries{};
    std::vector<RiderPtr> riders{};

    bool empty() const {
        return swarms.empty() && forgotten.empty() && asks.empty() && endings.empty() &&
               entries.empty() && riders.empty();
    }
};

// What an earlier life left.
struct Kept {
    std::vector<Swarm> swarms{};   // that are not forgotten
    std::vector<AskRecord> open{}; // that have not ended, the oldest first
};

// Where the queen keeps what outlives her. One implementation, on the store.
class Keeper {
public:
    virtual ~Keeper() = default;

    virtual Result<Kept> load() = 0; // may block

    // Batches are kept in the order of the calls. `done` comes on any thread and must not block.
    virtual void keep(Batch batch, std::function<void(Status)> done) = 0;
};

} // namespace hive::orchestrator

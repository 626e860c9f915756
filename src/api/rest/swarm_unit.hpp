#pragma once

#include "api/rest/swarm_rider.hpp"
#include "orchestrator/keeper.hpp"
#include "store/chronicle.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hive::rest {

// Batches that are written together, in their order.
struct SwarmUnit {
    std::string name; // unique: a unit whose fate was unknown is recognised when it is tried again
    HiveId hive;
    Timestamp now{};
    std::vector<orchestrator::Batch> batches{};
};
using SwarmUnitPtr = std::shared_ptr<const SwarmUnit>;

// Runs on a thread of the store, perhaps more than once.
struct SwarmUnitWork {
    SwarmUnitPtr unit;
    // Shared with whoever announces them after the commit.
    std::shared_ptr<std::vector<Change::Announcement>> announcements;
    Outbox* outbox = nullptr;

    Status operator()(store::Session& session, store::Facts& facts) const;
};

} // namespace hive::rest

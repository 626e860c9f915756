#pragma once

#include "api/rest/transactions.hpp"
#include "orchestrator/keeper.hpp"
#include "store/idempotency.hpp"
#include "store/swarm_tables.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hive::rest {

// What a request leaves in the transaction of the wish it made: who asked for what, the answer
// under its Idempotency-Key, and the run that it began.
struct SwarmRider final : orchestrator::Rider {
    struct Kept {
        store::KeyedRequest request;
        store::KeptAnswer answer;
    };

    Cause cause{};
    std::vector<Happening> happenings{};
    std::optional<Kept> kept{};
    std::optional<store::RunRow> run{};
    // Further work in the same transaction, perhaps more than once; its failure refuses the wish.
    std::function<Status(Change& change)> more{};
};

} // namespace hive::rest

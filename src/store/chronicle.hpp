#pragma once

#include "audit/checkpoint.hpp"
#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "store/database.hpp"
#include "store/recording.hpp"

#include <functional>
#include <optional>
#include <string>

namespace hive::store {

// Changes rows and says what happened. As with any Work: it may run more than once and must set
// what it captured from scratch. Each run gets an empty list of facts.
using RecordedWork = std::function<Status(Session& session, Facts& facts)>;

struct RecordedUnit {
    RecordedWork work;
    Duration within = std::chrono::seconds{10};
};

// Changes of one hive with their audit entries: both are committed in one transaction, or neither.
// Used from any thread.
//
// Units that share a commit append their entries together after the last of them: a unit sees the
// entries of units that were done before, not those of its own commit.
class Chronicle {
public:
    using Entropy = store::Entropy;

    Chronicle(Database& database, HiveId hive, Entropy entropy)
        : database_{&database}, hive_{std::move(hive)}, entropy_{std::move(entropy)} {}

    // As Database::write(), which says when `done` is called.
    Status change(RecordedUnit unit, Done done);

    // Signs what is recorded so far and keeps the checkpoint. None when nothing was recorded since
    // the last one. The signed checkpoint covers every change that was done before the call.
    using Signer = std::function<Result<audit::SignedCheckpoint>(const audit::Checkpoint&)>;
    using Signed = std::function<void(Result<std::optional<audit::SignedCheckpoint>>)>;
    struct Signing {
        std::string origin;
        Timestamp now{};
        Signer sign;
        // What else is kept with a new checkpoint, in its transaction.
        std::function<Status(Session&, const audit::SignedCheckpoint&)> also{};
    };
    Status checkpoint(Signing signing, Signed done);

    Database& database() const noexcept { return *database_; }
    const HiveId& hive() const noexcept { return hive_; }

private:
    Database* database_;
    HiveId hive_;
    Entropy entropy_;
};

} // namespace hive::store

#pragma once

#include "api/rest/transactions.hpp"
#include "kernel/log.hpp"
#include "loop/strand.hpp"
#include "orchestrator/keeper.hpp"
#include "store/chronicle.hpp"
#include "store/journal_tables.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hive::rest {

struct KeeperOptions {
    std::string life; // unique to this start: tells its batches from those of others
    store::JournalRetention retention{};
    Duration sweep_every = std::chrono::minutes{10};
    Duration forget_removed_after = std::chrono::hours{24};
    Duration forget_ended_after = std::chrono::hours{24}; // what was asked, counted from its end
    Duration retry_first = std::chrono::milliseconds{50}; // doubles up to the other
    Duration retry_most = std::chrono::seconds{5};
};

struct KeeperParts { // all outlive it
    store::Database& database;
    HiveId hive;
    const Clock& clock;
    loop::Loop& loop;
    Logger log;
    // What riders recorded, once it is committed; on any thread, must not block.
    std::function<void(const Change::Announcement&)> announce{};
    Outbox* outbox = nullptr; // who is told outside; null: nobody
};

// Where the queen's turns are kept: swarms, runs, journal and riders of a batch are one
// transaction. While the store is away batches wait in their order and are tried again; one that
// the store refuses for what it holds fails alone. One keeper per hive at a time.
class SwarmKeeper final : public orchestrator::Keeper {
public:
    SwarmKeeper(KeeperOptions options, KeeperParts parts);
    ~SwarmKeeper() override; // what still waits is told Errc::closed
    SwarmKeeper(const SwarmKeeper&) = delete;
    SwarmKeeper& operator=(const SwarmKeeper&) = delete;

    Result<orchestrator::Kept> load() override;
    void keep(orchestrator::Batch batch, std::function<void(Status)> done) override;

    // Clears out what has expired; also done by itself now and then.
    void sweep();

private:
    class Desk;
    KeeperParts parts_;
    // Shared with units that are under way in the store.
    std::shared_ptr<Desk> desk_;
};

} // namespace hive::rest

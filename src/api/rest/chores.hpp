#pragma once

#include "api/rest/transactions.hpp"
#include "kernel/log.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hive::rest {

// What the server does by itself when its time has come: leases that lapse, deadlines that pass.
struct Chore {
    std::string name;
    Duration every = std::chrono::milliseconds{500};
    // In one transaction, as any Work; safe to run on several servers of one hive at once. It takes
    // a bounded part of what is due and leaves the rest to the next time.
    std::function<Status(Change& change)> work;
    // Asked first, on the thread of the chores: is there anything to do? None: there may be.
    std::function<bool()> wanted{};
    // Told when the work is committed, on the store's thread; must not block.
    std::function<void()> after{};
};

// Runs each chore at its interval, never twice at once. One that fails is tried again at its next
// time; the log says so once per episode.
class Chores {
public:
    Chores(Transactions& transactions, Logger log, std::vector<Chore> chores);
    ~Chores(); // those under way finish in the store

private:
    struct Entry {
        Chore chore;
        TimePoint due{};
        std::atomic<bool> under_way = false;
        std::atomic<bool> failed = false;
    };

    void run(const std::stop_token& stop);
    void begin(const std::shared_ptr<Entry>& entry);

    Transactions* transactions_;
    Logger log_;
    std::vector<std::shared_ptr<Entry>> entries_; // shared with those under way
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_; // last: it uses everything above
};

} // namespace hive::rest

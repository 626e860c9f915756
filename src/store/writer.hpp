#pragma once

#include "store/connection.hpp"
#include "store/unit_queue.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace hive::store {

struct WriterLimits {
    std::size_t group_max = 256; // units in one commit
    std::size_t runs_max = 5;    // of one group, when its transaction is lost without its fault
    Duration idle_after = std::chrono::milliseconds{200};
};

// Group commit: takes whatever is waiting, runs each unit in a savepoint of one transaction,
// appends what they recorded, commits once, and only then tells each unit how it went. While one
// commit is being written the next group gathers, so no unit waits for company.
class Writer {
public:
    Writer(std::unique_ptr<Connection> connection, UnitQueue& queue, WriterLimits limits)
        : connection_{std::move(connection)}, queue_{queue}, limits_{limits} {}

    void run(); // until the queue is closed and empty

    // Sets the outcome of every unit of the group.
    void commit_group(std::span<Pending> group);

private:
    Step attempt(std::span<Pending> group);
    Step run_unit(Pending& pending);
    Step append_recordings(std::span<Pending> group);

    std::unique_ptr<Connection> connection_;
    UnitQueue& queue_;
    const WriterLimits limits_;
};

} // namespace hive::store

#pragma once

#include "store/connection.hpp"
#include "store/unit_queue.hpp"

#include <memory>

namespace hive::store {

// One connection that runs reading units, each on a snapshot of its own, beside the writer.
class Reader {
public:
    Reader(std::unique_ptr<Connection> connection, UnitQueue& queue)
        : connection_{std::move(connection)}, queue_{queue} {}

    void run(); // until the queue is closed and empty

private:
    void serve(Pending& pending);
    Step attempt(Pending& pending);

    std::unique_ptr<Connection> connection_;
    UnitQueue& queue_;
};

} // namespace hive::store

#pragma once

#include "store/connection.hpp"
#include "store/database.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hive::store {

struct Pending {
    Unit unit;
    Done done;
    TimePoint deadline;
    Status outcome{};
};

// Units waiting for a thread of the store, in order, never more than `max`.
class UnitQueue {
public:
    UnitQueue(std::size_t max, std::string what) : max_{max}, what_{std::move(what)} {}

    Status push(Unit unit, Done done);

    // Up to `most` units, waiting for the first up to `wait` (without one: until there is work).
    // None when nothing came in time, or when the queue is closed and empty.
    std::vector<Pending> take(std::size_t most, std::optional<Duration> wait);

    void close();
    bool exhausted() const; // closed and empty: nothing will ever come

private:
    const std::size_t max_;
    const std::string what_; // for messages: "writes", "reads"
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Pending> units_;
    bool closed_ = false;
};

// Hands each unit its outcome.
void complete(std::vector<Pending>& units);

} // namespace hive::store

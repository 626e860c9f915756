#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <deque>

namespace hive::guard {

inline double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

// The depth at a moment, and what had been put in by then.
struct Reading {
    TimePoint at{};
    double depth = 0;
    double sent = 0; // items since the guard began; only differences mean something
};

// The last readings of a queue and their moving average.
class Depths {
public:
    void add(const Reading& reading, std::size_t window);
    void clear() { readings_.clear(); }

    bool empty() const noexcept { return readings_.empty(); }
    std::size_t size() const noexcept { return readings_.size(); }
    const Reading& last() const { return readings_.back(); }
    double average() const; // as old as half the window; zero without a reading

    // The average without its lag: each reading is carried to `now` by what was put in since and by
    // what was probably taken out. What that is has been known for `valid` seconds: older readings
    // say nothing any more, nor do those before the queue was empty.
    struct Consumed {
        double rate = 0;
        double valid = 0;
    };
    double carried(const Reading& now, const Consumed& consumed) const;

private:
    std::deque<Reading> readings_{}; // oldest first
};

} // namespace hive::guard

#pragma once

#include "kernel/clock.hpp"
#include "kernel/random.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {

// Doubling waits with jitter, so that a thousand clients do not come back in the same instant.
class Backoff {
public:
    Backoff(Duration first, Duration most) : first_{first}, most_{most}, next_{first} {}

    // Between half of and the whole current wait.
    Duration next(Random& random) {
        const Duration wait = next_;
        next_ = next_ > most_ / 2 ? most_ : next_ * 2;
        // Half of it is exact: a double cannot hold every wait, and a rounded one may not fit.
        const Duration half = wait / 2;
        const auto jitter = static_cast<double>(half.count()) * random.unit();
        return half + std::min(half, Duration{static_cast<Duration::rep>(jitter)});
    }
    void reset() { next_ = first_; }

private:
    Duration first_;
    Duration most_;
    Duration next_;
};

} // namespace hive::bus::rabbitmq

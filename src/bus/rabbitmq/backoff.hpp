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
        next_ = std::min(most_, next_ * 2);
        return Duration{static_cast<Duration::rep>(
            static_cast<double>(wait.count()) * (0.5 + random.unit() / 2))};
    }
    void reset() { next_ = first_; }

private:
    Duration first_;
    Duration most_;
    Duration next_;
};

} // namespace hive::bus::rabbitmq

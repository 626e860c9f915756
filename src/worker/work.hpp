#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "wire/status.hpp"
#include "worker/job.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace hive::worker {

class Line;

// What a kind of bee does with the items that reach it, on the bee's strand. It ends each job that
// it took by one call of the line, at once or later.
class Work {
public:
    virtual ~Work() = default;

    virtual void take(std::span<Job> jobs, Line& line) = 0;

    // How many jobs it takes now, and when it may take more by itself.
    virtual std::size_t room(TimePoint /*now*/) { return std::numeric_limits<std::size_t>::max(); }
    virtual std::optional<TimePoint> next(TimePoint /*now*/) { return std::nullopt; }

    virtual void set_enabled(bool /*enabled*/) {}
    virtual wire::InputState input() const { return wire::InputState::ok; }
    virtual wire::OutputState output() const { return wire::OutputState::ok; }
    virtual void report(json::object& /*into*/) {} // asked about once a second
};

} // namespace hive::worker

#pragma once

#include "bus/work_bus.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "wire/status.hpp"
#include "worker/job.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hive::worker {

// Where a bee's items come from. On the bee's strand; nothing here waits.
class Source {
public:
    virtual ~Source() = default; // what was taken and not settled goes back

    // Appends up to `max` jobs that are there now.
    virtual Status take(std::size_t max, std::vector<Job>& out) = 0;
    // When there may be more; nothing: it rings by itself.
    virtual std::optional<TimePoint> next() const = 0;

    virtual Status done(std::span<const std::uint64_t> tags) = 0; // what they became is safe
    virtual Status refuse(const Job& job, bus::Verdict verdict, std::string_view reason) = 0;

    virtual wire::InputState state() const = 0;
    virtual void report(json::object& into) const = 0; // for the status of the bee
};

} // namespace hive::worker

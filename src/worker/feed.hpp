#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "wire/status.hpp"
#include "wire/work_item.hpp"

#include <cstdint>
#include <optional>

namespace hive::worker {

// What the items of a paced source are made of. On the bee's strand; nothing here waits.
class Feed {
public:
    virtual ~Feed() = default; // what was taken and not settled goes back

    // Makes the next element the first step of an item and returns its token; nothing when there
    // is none now.
    virtual Result<std::optional<std::uint64_t>> next(wire::WorkItem& item) = 0;
    // When to ask again after there was none; nothing: it rings, or never has more.
    virtual std::optional<TimePoint> again() const = 0;

    virtual Status done(std::uint64_t token) = 0;   // what it became is safe
    virtual Status refuse(std::uint64_t token) = 0; // nobody could work with it

    virtual wire::InputState state() const = 0;
    virtual void report(json::object& into) const = 0;
};

} // namespace hive::worker

#pragma once

#include "bus/work_bus.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "wire/status.hpp"
#include "wire/work_item.hpp"

#include <cstdint>

namespace hive::worker {

// Where a bee's items go. On the bee's strand; nothing here waits.
class Sink {
public:
    virtual ~Sink() = default;

    // Whether an item can go there at all; the error is the item's own. Each that is admitted is
    // sent, in the same order.
    virtual Status admit(const wire::WorkItem& /*item*/) { return {}; }
    // Takes items from the front while there is room and says how many; it rings when there is
    // room again. What it leaves in their places is nobody's.
    virtual Result<std::size_t> send(bus::ItemRefs items) = 0;
    virtual std::uint64_t accepted() const = 0;  // items so far
    virtual std::uint64_t confirmed() const = 0; // of those, from the first without a gap

    virtual wire::OutputState state() = 0; // asked about once a second
    virtual void report(json::object& into) const = 0;
};

} // namespace hive::worker

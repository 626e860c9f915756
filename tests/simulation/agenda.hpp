#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hive::simulation {

// What is going to happen, by virtual time; what is due at the same moment happens in the order it
// was scheduled, so a run never depends on how a heap breaks ties.
class Agenda {
public:
    using Action = std::function<void()>; // a capture of two words costs no allocation
    enum class Ticket : std::uint64_t {};

    Ticket schedule(TimePoint at, Action action);
    void cancel(Ticket ticket); // harmless once it has run or was cancelled

    std::optional<TimePoint> next(); // when the earliest action is due; empty when there is none
    Action take();                   // removes the earliest action; there must be one
    std::size_t size() const noexcept { return live_; }

private:
    struct Entry {
        TimePoint at;
        std::uint64_t order;
        std::uint32_t slot;
    };
    struct Slot {
        Action action;
        std::uint32_t generation = 0; // tells a ticket of an earlier use of the slot
    };

    static bool later(const Entry& a, const Entry& b) noexcept;
    std::uint32_t claim_slot();
    void free_slot(std::uint32_t slot);
    Entry pop();

    std::vector<Entry> heap_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
    std::uint64_t order_ = 0;
    std::size_t live_ = 0;
};

} // namespace hive::simulation

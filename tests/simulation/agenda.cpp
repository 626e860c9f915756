#include "tests/simulation/agenda.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::simulation {

bool Agenda::later(const Entry& a, const Entry& b) noexcept {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
}

std::uint32_t Agenda::claim_slot() {
    if (free_.empty()) {
        slots_.emplace_back();
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
}

void Agenda::free_slot(std::uint32_t slot) {
    ++slots_[slot].generation;
    free_.push_back(slot);
}

Agenda::Ticket Agenda::schedule(TimePoint at, Action action) {
    assert(action);
    const std::uint32_t slot = claim_slot();
    slots_[slot].action = std::move(action);
    heap_.push_back({at, order_++, slot});
    std::ranges::push_heap(heap_, later);
    ++live_;
    return Ticket{std::uint64_t{slots_[slot].generation} << 32U | slot};
}

void Agenda::cancel(Ticket ticket) {
    const auto bits = static_cast<std::uint64_t>(ticket);
    const auto slot = static_cast<std::uint32_t>(bits);
    assert(slot < slots_.size());
    if (slots_[slot].generation != bits >> 32U || !slots_[slot].action) return;
    // The heap entry stays until its time comes: finding it now would cost more than skipping it.
    slots_[slot].action = nullptr;
    --live_;
}

Agenda::Entry Agenda::pop() {
    std::ranges::pop_heap(heap_, later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
}

std::optional<TimePoint> Agenda::next() {
    while (!heap_.empty() && !slots_[heap_.front().slot].action) free_slot(pop().slot);
    if (heap_.empty()) return std::nullopt;
    return heap_.front().at;
}

Agenda::Action Agenda::take() {
    const auto due = next();
    assert(due.has_value());
    const Entry entry = pop();
    Action action = std::exchange(slots_[entry.slot].action, nullptr);
    free_slot(entry.slot);
    --live_;
    return action;
}

} // namespace hive::simulation

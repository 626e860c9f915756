#pragma once

#include "bus/control_bus.hpp"
#include "bus/memory/bell.hpp"
#include "wire/work_item.hpp"

#include <memory>
#include <vector>

namespace hive::bus::memory {

// Shared because a fan-out puts the same message into many queues, where nobody changes it.
using Letter = std::shared_ptr<const ControlMessage>;

// What a change of a queue leaves to do once its lock is released.
struct Aftermath {
    std::vector<wire::WorkItem> evicted_items{}; // on their way to the dead-letter queue
    std::vector<Letter> evicted_letters{};
    std::vector<std::shared_ptr<Bell>> bells{};
    bool dispatch = false; // there are letters and a consumer with room for one
    bool unused = false;   // its last consumer went

    bool nothing() const noexcept {
        return !dispatch && !unused && bells.empty() && evicted_items.empty() &&
               evicted_letters.empty();
    }
};

} // namespace hive::bus::memory

#pragma once

#include "wire/work_item.hpp"

#include <span>
#include <vector>

namespace hive::bus {

// Of a list, for whoever takes items where they lie.
inline std::vector<wire::WorkItem*> refs_of(std::span<wire::WorkItem> items) {
    std::vector<wire::WorkItem*> refs;
    refs.reserve(items.size());
    for (wire::WorkItem& item : items) refs.push_back(&item);
    return refs;
}

} // namespace hive::bus

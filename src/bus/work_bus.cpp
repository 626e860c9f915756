#include "bus/work_bus.hpp"

#include "bus/item_refs.hpp"

namespace hive::bus {

Result<std::size_t>
WorkSender::send(const Route& route, std::span<wire::WorkItem> items, Duration wait) {
    return send(route, ItemRefs{refs_of(items)}, wait);
}

} // namespace hive::bus

#include "bus/rabbitmq/sender.hpp"

#include "bus/rabbitmq/size_bound.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t name_max = 255; // AMQP short strings

} // namespace

Sender::~Sender() {
    outbox_->abandon();
    loop_->wake();
}

Result<std::size_t> Sender::send(const Route& route, ItemRefs items, Duration wait) {
    if (route.exchange.size() > name_max || route.key.size() > name_max) {
        return fail(Errc::invalid, "an exchange name or routing key is over AMQP's 255 bytes");
    }
    if (items.empty()) return 0;
    const auto room = outbox_->await_room(deadline_after(wait));
    if (!room) return fail(room.error());
    const std::size_t count = std::min(*room, items.size());
    if (auto ok = encode(route, items.first(count)); !ok) return fail(ok.error());
    for (wire::WorkItem* item : items.first(count)) item->clear();
    outbox_->commit(count);
    if (count > 0) loop_->wake();
    return count;
}

// Into the free slots of the outbox, which are nobody's until they are committed.
Status Sender::encode(const Route& route, ItemRefs items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        Outgoing& slot = outbox_->free_slot(i);
        slot.exchange = route.exchange;
        slot.key = route.key;
        slot.persistent = terms_.persistent;
        slot.body.clear();
        wire::encode(*items[i], slot.body);
        if (slot.body.size() <= terms_.item_bytes_max) continue;
        const auto bytes = std::exchange(slot.body, {}).size();
        return fail(over_bound(
            fmt::format("item {} of {} for '{}'", i + 1, items.size(), route.key), bytes,
            terms_.item_bytes_max));
    }
    return {};
}

} // namespace hive::bus::rabbitmq

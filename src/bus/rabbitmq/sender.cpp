#include "bus/rabbitmq/sender.hpp"

#include "wire/work_codec.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t name_max = 255; // AMQP short strings

} // namespace

Sender::~Sender() {
    outbox_->abandon();
    loop_->wake();
}

Result<std::size_t>
Sender::send(const Route& route, std::span<wire::WorkItem> items, Duration wait) {
    if (route.exchange.size() > name_max || route.key.size() > name_max) {
        return fail(Errc::invalid, "an exchange name or routing key is over AMQP's 255 bytes");
    }
    if (items.empty()) return 0;
    const auto room = outbox_->await_room(steady_now() + wait);
    if (!room) return fail(room.error());
    const std::size_t count = std::min(*room, items.size());
    for (std::size_t i = 0; i < count; ++i) {
        Outgoing& slot = outbox_->free_slot(i);
        slot.exchange = route.exchange;
        slot.key = route.key;
        slot.persistent = persistent_;
        slot.body.clear();
        wire::encode(items[i], slot.body);
        [[maybe_unused]] const wire::WorkItem moved = std::move(items[i]);
    }
    outbox_->commit(count);
    if (count > 0) loop_->wake();
    return count;
}

} // namespace hive::bus::rabbitmq

#include "bus/rabbitmq/properties.hpp"

#include "bus/rabbitmq/assembler.hpp"
#include "bus/rabbitmq/errors.hpp"

#include <charconv>

namespace hive::bus::rabbitmq {

Properties::Properties(const Outgoing& message, bool with_serial) {
    all_._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG;
    all_.delivery_mode =
        message.persistent ? AMQP_DELIVERY_PERSISTENT : AMQP_DELIVERY_NONPERSISTENT;
    all_.content_type = amqp_cstring_bytes("application/json");
    int count = 0;
    if (message.attempt > 0) {
        auto& entry = entries_[static_cast<std::size_t>(count++)];
        entry.key = amqp_cstring_bytes(attempt_property);
        entry.value.kind = AMQP_FIELD_KIND_I64;
        entry.value.value.i64 = message.attempt;
    }
    if (!message.error.empty()) {
        auto& entry = entries_[static_cast<std::size_t>(count++)];
        entry.key = amqp_cstring_bytes(error_property);
        entry.value.kind = AMQP_FIELD_KIND_UTF8;
        entry.value.value.bytes = bytes_of(message.error);
    }
    if (count > 0) {
        all_._flags |= AMQP_BASIC_HEADERS_FLAG;
        all_.headers = {count, entries_.data()};
    }
    if (with_serial) {
        const auto end =
            std::to_chars(serial_.data(), serial_.data() + serial_.size(), message.serial).ptr;
        all_._flags |= AMQP_BASIC_MESSAGE_ID_FLAG;
        all_.message_id = {static_cast<std::size_t>(end - serial_.data()), serial_.data()};
    }
}

} // namespace hive::bus::rabbitmq

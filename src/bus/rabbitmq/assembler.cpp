#include "bus/rabbitmq/assembler.hpp"

#include "bus/rabbitmq/errors.hpp"

#include <algorithm>
#include <limits>

namespace hive::bus::rabbitmq {
namespace {

// A large body grows as it arrives: the announced size is not to be trusted with memory.
constexpr std::uint64_t reserve_max = 1U << 20U;

std::uint32_t to_attempt(std::int64_t value) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(value, 1, std::numeric_limits<std::uint32_t>::max()));
}

std::uint32_t attempt_of(const amqp_basic_properties_t& properties) {
    if ((properties._flags & AMQP_BASIC_HEADERS_FLAG) == 0) return 1;
    for (int i = 0; i < properties.headers.num_entries; ++i) {
        const auto& entry = properties.headers.entries[i];
        if (view(entry.key) != attempt_property) continue;
        switch (entry.value.kind) {
        case AMQP_FIELD_KIND_I32: return to_attempt(entry.value.value.i32);
        case AMQP_FIELD_KIND_I64: return to_attempt(entry.value.value.i64);
        default: return 1;
        }
    }
    return 1;
}

} // namespace

Message* Assembler::feed(const amqp_frame_t& frame) {
    switch (frame.frame_type) {
    case AMQP_FRAME_METHOD: begin(frame); return nullptr;
    case AMQP_FRAME_HEADER: return take_header(frame);
    case AMQP_FRAME_BODY: return take_body(frame);
    default: return nullptr;
    }
}

Assembler::Partial& Assembler::partial(amqp_channel_t channel) {
    if (partials_.size() <= channel) partials_.resize(channel + std::size_t{1});
    return partials_[channel];
}

void Assembler::begin(const amqp_frame_t& frame) {
    const auto& method = frame.payload.method;
    if (method.id != AMQP_BASIC_DELIVER_METHOD && method.id != AMQP_BASIC_RETURN_METHOD) return;
    Partial& at = partial(frame.channel);
    at = {};
    at.wants_header = true;
    at.message.channel = frame.channel;
    if (method.id == AMQP_BASIC_DELIVER_METHOD) {
        const auto* deliver = static_cast<const amqp_basic_deliver_t*>(method.decoded);
        at.message.delivery_tag = deliver->delivery_tag;
        at.message.redelivered = deliver->redelivered != 0;
        at.message.routing_key = view(deliver->routing_key);
    } else {
        const auto* returned = static_cast<const amqp_basic_return_t*>(method.decoded);
        at.message.returned = true;
        at.message.exchange = view(returned->exchange);
        at.message.routing_key = view(returned->routing_key);
    }
}

Message* Assembler::take_header(const amqp_frame_t& frame) {
    Partial& at = partial(frame.channel);
    if (!at.wants_header) return nullptr;
    at.wants_header = false;
    const auto* properties =
        static_cast<const amqp_basic_properties_t*>(frame.payload.properties.decoded);
    at.message.attempt = attempt_of(*properties);
    if ((properties->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0) {
        at.message.message_id = view(properties->message_id);
    }
    at.missing = frame.payload.properties.body_size;
    at.message.body.reserve(std::min(at.missing, reserve_max));
    if (at.missing > 0) return nullptr;
    done_ = std::move(at.message);
    return &done_;
}

Message* Assembler::take_body(const amqp_frame_t& frame) {
    Partial& at = partial(frame.channel);
    const auto fragment = view(frame.payload.body_fragment);
    if (at.missing < fragment.size() || fragment.empty()) return nullptr;
    at.message.body.append(fragment);
    at.missing -= fragment.size();
    if (at.missing > 0) return nullptr;
    done_ = std::move(at.message);
    return &done_;
}

} // namespace hive::bus::rabbitmq

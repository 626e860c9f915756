// What the broker says to the publish loop: confirmations, refusals, returns, alarms, the end.
#include "bus/rabbitmq/publish_loop.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::bus::rabbitmq {
namespace {

constexpr int frames_per_release = 64;

} // namespace

Status PublishLoop::drain(Session& session) {
    amqp_frame_t frame;
    for (int count = 1;; ++count) {
        const auto got = session.next_frame(frame);
        if (!got) return fail(got.error());
        if (!*got) break;
        if (auto ok = take_frame(session, frame); !ok) return ok;
        if (count % frames_per_release == 0) amqp_maybe_release_buffers(session.raw());
    }
    amqp_maybe_release_buffers(session.raw());
    announce_all();
    return {};
}

Status PublishLoop::take_frame(Session& session, const amqp_frame_t& frame) {
    if (Message* message = assembler_.feed(frame)) {
        if (message->returned) take_return(*message);
        return {};
    }
    if (frame.frame_type != AMQP_FRAME_METHOD) return {};
    if (frame.channel == 0) return take_connection_method(session, frame.payload.method);
    return take_channel_method(session, frame);
}

Status PublishLoop::take_connection_method(Session& session, const amqp_method_t& method) {
    switch (method.id) {
    case AMQP_CONNECTION_BLOCKED_METHOD: {
        const auto* blocked = static_cast<const amqp_connection_blocked_t*>(method.decoded);
        blocked_ = true;
        link_->set(
            LinkState::Side::publish, Link::blocked,
            fmt::format("RabbitMQ takes no messages for now: {}", view(blocked->reason)));
        return {};
    }
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        blocked_ = false;
        link_->set(LinkState::Side::publish, Link::up, "RabbitMQ takes messages again");
        return {};
    case AMQP_CONNECTION_CLOSE_METHOD: return session.closed_by_broker(method);
    default: return {};
    }
}

Status PublishLoop::take_channel_method(Session& session, const amqp_frame_t& frame) {
    const std::size_t index = frame.channel - std::size_t{1};
    if (index >= lanes_.size()) return {};
    Lane& lane = lanes_[index];
    const auto& method = frame.payload.method;
    switch (method.id) {
    case AMQP_BASIC_ACK_METHOD: {
        const auto* ack = static_cast<const amqp_basic_ack_t*>(method.decoded);
        if (lane.outbox) lane.outbox->confirm(ack->delivery_tag, ack->multiple != 0, steady_now());
        lane.touched = true;
        return {};
    }
    case AMQP_BASIC_NACK_METHOD: {
        const auto* nack = static_cast<const amqp_basic_nack_t*>(method.decoded);
        if (!lane.outbox) return {};
        const auto count =
            lane.outbox->refuse(nack->delivery_tag, nack->multiple != 0, steady_now());
        lane.touched = true;
        if (options().counters) options().counters->refused += count;
        return {};
    }
    case AMQP_CHANNEL_CLOSE_OK_METHOD: lane.state = State::closed; return {};
    case AMQP_CHANNEL_CLOSE_METHOD: {
        const Error error = publish_error(close_reason(method), session.endpoint());
        lane.state = State::closed;
        lane.touched = true;
        if (lane.outbox) {
            lane.outbox->channel_closed(error);
            if (!lane.outbox->terms().fails_for_good) notice(error.detail);
        }
        amqp_channel_close_ok_t confirmation{};
        return session.send(frame.channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &confirmation);
    }
    default: return {};
    }
}

void PublishLoop::take_return(const Message& message) {
    const std::size_t index = message.channel - std::size_t{1};
    if (index >= lanes_.size() || !lanes_[index].outbox) return;
    std::uint64_t serial = 0;
    const auto& id = message.message_id;
    std::from_chars(id.data(), id.data() + id.size(), serial);
    lanes_[index].outbox->returned(
        serial,
        Error{
            Errc::not_found,
            message.exchange.empty()
                ? fmt::format(
                      "there is no queue '{}' to send to; declare it first", message.routing_key)
                : fmt::format(
                      "no queue is bound to exchange '{}' with a key that matches '{}'; bind one "
                      "first",
                      message.exchange, message.routing_key)});
    lanes_[index].touched = true;
}

void PublishLoop::announce_all() {
    for (auto& lane : lanes_) {
        if (lane.touched && lane.outbox) lane.outbox->announce();
        lane.touched = false;
    }
}

} // namespace hive::bus::rabbitmq

#include "bus/rabbitmq/publish_loop.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

// Between two looks at what the broker says; small enough to see an alarm in time.
constexpr std::size_t batch_max = 64;
constexpr std::size_t batch_bytes_max = 64UL * 1024;
constexpr int frames_per_release = 64;
constexpr Duration congestion_pause = 5ms; // before looking again whether the socket has room

bool is_writable(int socket) {
    pollfd watched{socket, POLLOUT, 0};
    return ::poll(&watched, 1, 0) == 1;
}

amqp_channel_t channel_of(std::size_t lane) {
    return static_cast<amqp_channel_t>(lane + 1);
}

// The AMQP properties of one message, alive while it is published.
class Properties {
public:
    Properties(const Outgoing& message, bool with_serial) {
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
    Properties(const Properties&) = delete;
    Properties& operator=(const Properties&) = delete;

    const amqp_basic_properties_t* get() const { return &all_; }

private:
    amqp_basic_properties_t all_{};
    std::array<amqp_table_entry_t, 2> entries_{};
    std::array<char, 20> serial_{};
};

} // namespace

PublishLoop::PublishLoop(std::shared_ptr<const Options> options, std::shared_ptr<LinkState> link)
    : IoLoop{std::move(options), "publish"}, link_{std::move(link)} {}

void PublishLoop::add(std::shared_ptr<Outbox> outbox) {
    const std::lock_guard lock{mutex_};
    outboxes_.push_back(std::move(outbox));
}

std::vector<std::shared_ptr<Outbox>> PublishLoop::outboxes() const {
    const std::lock_guard lock{mutex_};
    return outboxes_;
}

std::uint64_t PublishLoop::unconfirmed() const {
    std::uint64_t count = 0;
    for (const auto& outbox : outboxes()) count += outbox->accepted() - outbox->confirmed();
    return count;
}

void PublishLoop::await_copies(TimePoint deadline) {
    for (const auto& outbox : outboxes()) {
        // Late ones become duplicates, which delivery at least once allows.
        if (outbox->terms().on_resolved) [[maybe_unused]]
            const auto done = outbox->flush(deadline);
    }
}

Status PublishLoop::on_up(Session& /*session*/) {
    lanes_.clear();
    assembler_ = {};
    blocked_ = false;
    link_->set(LinkState::Side::publish, Link::up, "connected");
    return {};
}

void PublishLoop::on_away(const Error& why) {
    std::size_t again = 0;
    for (const auto& lane : lanes_) {
        if (lane.outbox) again += lane.outbox->session_lost();
    }
    lanes_.clear();
    if (options().counters) options().counters->resent += again;
    link_->set(LinkState::Side::publish, Link::away, why.detail);
}

bool PublishLoop::is_done(bool /*up*/) {
    return std::ranges::all_of(outboxes(), [](const auto& outbox) { return outbox->idle(); });
}

void PublishLoop::on_goodbye(Session& session) {
    if (!blocked_) session.say_goodbye(); // a blocked broker does not read it
}

Result<Duration> PublishLoop::work(Session& session) {
    if (auto ok = drain(session); !ok) return fail(ok.error());
    assign_lanes();
    congested_ = false;
    for (bool more = true; more && !blocked_;) {
        more = false;
        for (std::size_t lane = 0; lane < lanes_.size() && !blocked_; ++lane) {
            const auto some = publish_some(session, lane);
            if (!some) return fail(some.error());
            more |= *some;
        }
        if (auto ok = drain(session); !ok) return fail(ok.error());
    }
    if (auto ok = retire_finished(session); !ok) return fail(ok.error());
    return idle_for();
}

void PublishLoop::assign_lanes() {
    for (const auto& outbox : outboxes()) {
        const auto has_lane = [&](const Lane& lane) { return lane.outbox == outbox; };
        if (std::ranges::any_of(lanes_, has_lane)) continue;
        const auto vacant = std::ranges::find_if(
            lanes_, [](const Lane& lane) { return !lane.outbox && lane.state == State::closed; });
        if (vacant == lanes_.end()) {
            lanes_.push_back({.outbox = outbox});
        } else {
            vacant->outbox = outbox;
        }
    }
}

// True when it published something and there may be more.
Result<bool> PublishLoop::publish_some(Session& session, std::size_t lane) {
    const auto outbox = lanes_[lane].outbox;
    if (!outbox || lanes_[lane].state == State::closing) return false;
    if (outbox->idle()) return false;
    if (!is_writable(session.socket())) {
        congested_ = true;
        return false;
    }
    batch_.clear();
    outbox->take(batch_, batch_max, steady_now());
    if (batch_.empty()) return false;
    if (lanes_[lane].state == State::closed) {
        if (auto ok = open_lane(session, lane); !ok) return fail(ok.error());
    }
    std::size_t bytes = 0;
    for (const Outgoing* message : batch_) {
        if (auto ok = publish(session, channel_of(lane), *message); !ok) return fail(ok.error());
        bytes += message->body.size();
        if (bytes < batch_bytes_max) continue;
        bytes = 0;
        // The batch is taken and has its tags, so it goes out whole; only the news is read.
        if (auto ok = drain(session); !ok) return fail(ok.error());
        if (lanes_[lane].state != State::open) return false; // closed over an earlier message
    }
    return true;
}

// Without waiting for the broker's consent: it takes the methods of a channel in order.
Status PublishLoop::open_lane(Session& session, std::size_t lane) {
    amqp_channel_open_t open{};
    if (auto ok = session.send(channel_of(lane), AMQP_CHANNEL_OPEN_METHOD, &open); !ok) return ok;
    amqp_confirm_select_t select{};
    if (auto ok = session.send(channel_of(lane), AMQP_CONFIRM_SELECT_METHOD, &select); !ok)
        return ok;
    lanes_[lane].state = State::open;
    return {};
}

Status PublishLoop::publish(Session& session, amqp_channel_t channel, const Outgoing& message) {
    const auto& terms = lanes_[channel - std::size_t{1}].outbox->terms();
    const Properties properties{message, static_cast<bool>(terms.on_resolved)};
    const int status = amqp_basic_publish(
        session.raw(), channel, bytes_of(message.exchange), bytes_of(message.key),
        terms.mandatory ? 1 : 0, 0, properties.get(), bytes_of(message.body));
    return session.check(status, "publish");
}

Status PublishLoop::retire_finished(Session& session) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (!lane.outbox || !lane.outbox->finished()) continue;
        {
            const std::lock_guard lock{mutex_};
            std::erase(outboxes_, lane.outbox);
        }
        lane.outbox.reset();
        if (lane.state != State::open || blocked_) continue;
        amqp_channel_close_t close{};
        close.reply_code = AMQP_REPLY_SUCCESS;
        if (auto ok = session.send(channel_of(i), AMQP_CHANNEL_CLOSE_METHOD, &close); !ok)
            return ok;
        lane.state = State::closing;
    }
    return {};
}

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
        const Error error = broker_error(close_reason(method), "publish", session.endpoint());
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

Duration PublishLoop::idle_for() const {
    Duration least = 1h;
    if (blocked_) return least;
    if (congested_) return congestion_pause;
    const auto now = steady_now();
    for (const auto& lane : lanes_) {
        if (!lane.outbox) continue;
        if (const auto at = lane.outbox->retry_at()) {
            least = std::min(least, std::max<Duration>(*at - now, 0ns));
        }
    }
    return least;
}

} // namespace hive::bus::rabbitmq

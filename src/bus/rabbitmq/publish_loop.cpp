#include "bus/rabbitmq/publish_loop.hpp"

#include "bus/rabbitmq/properties.hpp"

#include <poll.h>

#include <algorithm>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

// Between two looks at what the broker says; small enough to see an alarm in time.
constexpr std::size_t batch_max = 64;
constexpr std::size_t batch_bytes_max = 64UL * 1024;
constexpr Duration congestion_pause = 5ms; // before looking again whether the socket has room

bool is_writable(int socket) {
    pollfd watched{socket, POLLOUT, 0};
    return ::poll(&watched, 1, 0) == 1;
}

amqp_channel_t channel_of(std::size_t lane) {
    return static_cast<amqp_channel_t>(lane + 1);
}

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

Status PublishLoop::on_up(Session& session) {
    lanes_.clear();
    frames_ = PublishFrames{static_cast<std::size_t>(amqp_get_frame_max(session.raw()))};
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
        if (auto ok = write_gathered(session); !ok) return fail(ok.error());
        // The batch is taken and has its tags, so it goes out whole; only the news is read.
        if (auto ok = drain(session); !ok) return fail(ok.error());
        if (lanes_[lane].state != State::open) return false; // closed over an earlier message
    }
    if (auto ok = write_gathered(session); !ok) return fail(ok.error());
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
    // What is large costs as much either way, and need not be copied.
    if (session.takes_bytes() && message.body.size() < batch_bytes_max &&
        frames_.add(message, *properties.get(), {channel, terms.mandatory})) {
        return {};
    }
    if (auto ok = write_gathered(session); !ok) return ok;
    const int status = amqp_basic_publish(
        session.raw(), channel, bytes_of(message.exchange), bytes_of(message.key),
        terms.mandatory ? 1 : 0, 0, properties.get(), bytes_of(message.body));
    return session.check(status, "publish");
}

Status PublishLoop::write_gathered(Session& session) {
    if (frames_.bytes().empty()) return {};
    auto written = session.write(frames_.bytes(), "publish");
    frames_.clear();
    return written;
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

Duration PublishLoop::idle_for() const {
    Duration least = 1h;
    if (blocked_) return least;
    if (congested_) return congestion_pause;
    for (const auto& lane : lanes_) {
        if (!lane.outbox) continue;
        if (const auto at = lane.outbox->retry_at()) least = std::min(least, left_until(*at));
    }
    return least;
}

} // namespace hive::bus::rabbitmq

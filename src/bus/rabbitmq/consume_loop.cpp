#include "bus/rabbitmq/consume_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

constexpr amqp_channel_t topology_number = 1;
constexpr Duration flush_within = 2ms; // the longest an acknowledgement waits for company
// The longest it waits for a gap before it to close, so that one frame does for many.
constexpr Duration held_within = 10ms;
constexpr int frames_per_hand_over = 192; // a small message is three frames

} // namespace

ConsumeLoop::ConsumeLoop(std::shared_ptr<const Options> options, std::shared_ptr<LinkState> link)
    : IoLoop{std::move(options), "consume"}, link_{std::move(link)} {}

void ConsumeLoop::set_reachable(bool up, const Error& why) {
    const std::lock_guard lock{mutex_};
    up_ = up;
    away_ = why;
}

Status ConsumeLoop::on_up(Session& session) {
    by_channel_.clear();
    resting_.clear();
    assembler_ = {};
    topology_.emplace(session, topology_number);
    if (auto ok = recover(session); !ok) return ok;
    set_reachable(true, {});
    link_->set(LinkState::Side::consume, Link::up, "connected");
    return {};
}

void ConsumeLoop::on_away(const Error& why) {
    set_reachable(false, {Errc::unavailable, why.detail});
    topology_.reset();
    for (auto& consumer : consumers_) {
        consumer->channel = 0;
        consumer->flush_at = consumer->release_at = TimePoint::max();
        consumer->gone |= consumer->cancelled; // its last deliveries return by themselves
        if (options().counters) options().counters->stale_acks += consumer->ledger.held();
        consumer->ledger.begin_session();
        consumer->intake->interrupted(consumer->ledger.last());
    }
    drop_gone();
    run_requests(nullptr);
    link_->set(LinkState::Side::consume, Link::away, why.detail);
}

bool ConsumeLoop::is_done(bool /*up*/) {
    return true; // the last flush and the goodbye are all that is left
}

void ConsumeLoop::on_goodbye(Session& session) {
    for (auto& consumer : consumers_) {
        if (!flush(session, *consumer, Held::go_too)) return;
    }
    session.say_goodbye();
}

void ConsumeLoop::on_end() {
    const Error closed{Errc::closed, "the connection to RabbitMQ was closed"};
    set_reachable(false, closed);
    for (auto& consumer : consumers_) consumer->intake->ended(closed);
    run_requests(nullptr);
}

Result<Duration> ConsumeLoop::work(Session& session) {
    if (auto ok = drain(session); !ok) return fail(ok.error());
    run_requests(&session);
    if (session.broken()) return fail(*session.broken());
    const auto now = steady_now();
    for (auto& consumer : consumers_) {
        if (consumer->resume_at <= now) resume(session, *consumer);
    }
    if (auto ok = flush_due(session); !ok) return fail(ok.error());
    drop_gone();
    return idle_for();
}

void ConsumeLoop::post(Request request) {
    {
        const std::lock_guard lock{mutex_};
        requests_.push_back(std::move(request));
    }
    wake();
}

void ConsumeLoop::run_requests(Session* session) {
    for (;;) {
        Request request;
        Error away;
        {
            const std::lock_guard lock{mutex_};
            if (requests_.empty()) return;
            request = std::move(requests_.front());
            requests_.pop_front();
            away = away_;
        }
        const bool usable = session != nullptr && !session->broken();
        if (session != nullptr && !usable) away = *session->broken();
        request(usable ? session : nullptr, away);
    }
}

ConsumeLoop::Consumer* ConsumeLoop::find(const Intake* intake) {
    for (auto& consumer : consumers_) {
        if (consumer->intake.get() == intake) return consumer.get();
    }
    return nullptr;
}

ConsumeLoop::Consumer* ConsumeLoop::at_channel(amqp_channel_t channel) {
    return channel < by_channel_.size() ? by_channel_[channel] : nullptr;
}

Status ConsumeLoop::flush_due(Session& session) {
    std::vector<std::pair<const Intake*, bool>> settled;
    {
        const std::lock_guard lock{mutex_};
        settled.swap(settled_);
    }
    const auto now = steady_now();
    for (const auto& [intake, urgent] : settled) {
        if (Consumer* consumer = find(intake)) {
            consumer->flush_at =
                std::min(consumer->flush_at, urgent ? now : add(now, flush_within));
        }
    }
    for (auto& consumer : consumers_) {
        if (std::min(consumer->flush_at, consumer->release_at) > now) continue;
        const auto held = consumer->release_at > now ? Held::may_wait : Held::go_too;
        if (auto ok = flush(session, *consumer, held); !ok) return ok;
    }
    return {};
}

Status ConsumeLoop::flush(Session& session, Consumer& consumer, Held held) {
    consumer.flush_at = TimePoint::max();
    auto settlements = consumer.intake->take_settlements();
    if (consumer.channel == 0) {
        // Left from a session that is gone, and so are the deliveries.
        if (options().counters) options().counters->stale_acks += settlements.acks.size();
        return {};
    }
    // Before the acknowledgements: those may cover everything up to a tag.
    for (const auto& [serial, refusal] : settlements.refusals) {
        const auto tag = consumer.ledger.refuse(serial);
        if (!tag) continue;
        const int requeue = refusal == Intake::Refusal::requeue ? 1 : 0;
        const int status = amqp_basic_nack(session.raw(), consumer.channel, *tag, 0, requeue);
        if (auto ok = session.check(status, "return an item"); !ok) return ok;
    }
    const auto plan = consumer.ledger.acknowledge(settlements.acks);
    if (options().counters) options().counters->stale_acks += plan.stale;
    if (auto ok = acknowledge(session, consumer, plan.acks); !ok) return ok;
    if (held == Held::go_too || consumer.ledger.held() >= consumer.intake->batch()) {
        if (auto ok = acknowledge(session, consumer, consumer.ledger.release()); !ok) return ok;
    }
    if (consumer.ledger.held() == 0) {
        consumer.release_at = TimePoint::max();
    } else if (consumer.release_at == TimePoint::max()) {
        consumer.release_at = deadline_after(held_within);
    }
    if (consumer.cancelled && consumer.ledger.unsettled() == 0) {
        close_channel(session, consumer);
        consumer.gone = true;
    }
    return {};
}

Status ConsumeLoop::acknowledge(
    Session& session, const Consumer& consumer, std::span<const AckLedger::Ack> acks) {
    for (const auto& ack : acks) {
        const int status =
            amqp_basic_ack(session.raw(), consumer.channel, ack.tag, ack.multiple ? 1 : 0);
        if (auto ok = session.check(status, "acknowledge"); !ok) return ok;
    }
    return {};
}

Status ConsumeLoop::drain(Session& session) {
    amqp_frame_t frame;
    for (int count = 1;; ++count) {
        const auto got = session.next_frame(frame);
        if (!got) return fail(got.error());
        if (!*got) break;
        if (auto ok = take_frame(session, frame); !ok) return ok;
        if (count % frames_per_hand_over != 0) continue;
        hand_over();
        amqp_maybe_release_buffers(session.raw());
        if (auto ok = flush_due(session); !ok) return ok;
    }
    resting_.clear();
    hand_over();
    amqp_maybe_release_buffers(session.raw());
    return {};
}

void ConsumeLoop::hand_over() {
    for (auto& consumer : consumers_) {
        if (consumer->touched) consumer->intake->hand_over();
        consumer->touched = false;
    }
}

Status ConsumeLoop::take_frame(Session& session, const amqp_frame_t& frame) {
    if (Message* message = assembler_.feed(frame)) {
        take_delivery(*message);
        return {};
    }
    if (frame.frame_type != AMQP_FRAME_METHOD) return {};
    if (frame.channel != 0) return take_channel_method(session, frame);
    if (frame.payload.method.id == AMQP_CONNECTION_CLOSE_METHOD) {
        return session.closed_by_broker(frame.payload.method);
    }
    return {};
}

void ConsumeLoop::take_delivery(Message& message) {
    Consumer* consumer = at_channel(message.channel);
    if (consumer == nullptr || message.returned) return;
    consumer->touched = true;
    consumer->intake->deliver(
        {.serial = consumer->ledger.record(message.delivery_tag),
         .attempt = message.attempt,
         .redelivered = message.redelivered || message.attempt > 1,
         .routing_key = std::move(message.routing_key),
         .body = std::move(message.body)});
}

Status ConsumeLoop::take_channel_method(Session& session, const amqp_frame_t& frame) {
    const auto& method = frame.payload.method;
    Consumer* consumer = at_channel(frame.channel);
    if (method.id == AMQP_BASIC_CANCEL_METHOD && consumer != nullptr) {
        cancelled_by_broker(session, *consumer);
        return {};
    }
    if (method.id != AMQP_CHANNEL_CLOSE_METHOD) return {};
    amqp_channel_close_ok_t confirmation{};
    if (auto ok = session.send(frame.channel, AMQP_CHANNEL_CLOSE_OK_METHOD, &confirmation); !ok) {
        return ok;
    }
    if (consumer == nullptr) return {};
    by_channel_[frame.channel] = nullptr;
    consumer->channel = 0;
    end(*consumer,
        broker_error(
            close_reason(method), fmt::format("consume queue '{}'", consumer->intake->queue()),
            session.endpoint()));
    return {};
}

// Its queue was removed, by us or by another party: a reconnect must not bring it back. It may
// exist again by now, and then it is as much ours as before.
void ConsumeLoop::cancelled_by_broker(Session& session, Consumer& consumer) {
    const auto& queue = consumer.intake->queue();
    if (!topology_->inspect(queue)) declared_.remove_queue(queue);
    if (consumer.cancelled) return;
    end(consumer,
        {Errc::not_found, fmt::format("queue '{}' was removed while it was consumed", queue)});
    if (!session.broken()) close_channel(session, consumer);
}

void ConsumeLoop::end(Consumer& consumer, const Error& why) {
    consumer.gone = true;
    consumer.resume_at = TimePoint::max();
    consumer.intake->ended(why);
    notice(why.detail);
}

void ConsumeLoop::close_channel(Session& session, Consumer& consumer) {
    if (consumer.channel == 0) return;
    const auto channel = std::exchange(consumer.channel, amqp_channel_t{0});
    by_channel_[channel] = nullptr;
    resting_.push_back(channel);
    const auto reply = amqp_channel_close(session.raw(), channel, AMQP_REPLY_SUCCESS);
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) {
        [[maybe_unused]] const auto broken = session.check(reply.library_error, "close a channel");
    }
}

void ConsumeLoop::drop_gone() {
    std::erase_if(consumers_, [](const auto& consumer) { return consumer->gone; });
}

Duration ConsumeLoop::idle_for() const {
    auto next = TimePoint::max();
    for (const auto& consumer : consumers_) {
        next = std::min({next, consumer->flush_at, consumer->release_at, consumer->resume_at});
    }
    if (next == TimePoint::max()) return 1h;
    return left_until(next);
}

} // namespace hive::bus::rabbitmq

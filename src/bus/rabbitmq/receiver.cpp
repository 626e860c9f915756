#include "bus/rabbitmq/receiver.hpp"

#include "bus/dead_letter.hpp"
#include "bus/rabbitmq/size_bound.hpp"
#include "bus/rabbitmq/steady.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t prefetch_max = 65535; // AMQP

} // namespace

Inbox::Inbox(std::string queue, std::size_t prefetch, std::function<void()> on_items)
    : Intake{std::move(queue), prefetch}, on_items_{std::move(on_items)} {}

void Inbox::hand_over() {
    if (arriving_.empty()) return;
    bool was_empty = false;
    {
        const std::lock_guard lock{mutex_};
        was_empty = ready_.empty();
        std::ranges::move(arriving_, std::back_inserter(ready_));
    }
    arriving_.clear();
    if (!was_empty) return;
    changed_.notify_all();
    on_items_.ring();
}

void Inbox::interrupted(std::uint64_t /*last_serial*/) {
    arriving_.clear();
    const std::lock_guard lock{mutex_};
    ready_.clear(); // the broker has them back
}

void Inbox::ended(const Error& why) {
    {
        const std::lock_guard lock{mutex_};
        ready_.clear();
        ended_ = why;
    }
    changed_.notify_all();
    on_items_.ring();
}

Status Inbox::take(std::vector<RawDelivery>& out, std::size_t max, TimePoint deadline) {
    std::unique_lock lock{mutex_};
    changed_.wait_until(lock, steady(deadline), [&] { return ended_ || !ready_.empty(); });
    if (ended_) return fail(*ended_);
    for (; max > 0 && !ready_.empty(); --max) {
        out.push_back(std::move(ready_.front()));
        ready_.pop_front();
    }
    return {};
}

Receiver::Receiver(Parts parts, ReceiverOptions options)
    : parts_{std::move(parts)}, options_{std::move(options)},
      inbox_{std::make_shared<Inbox>(options_.queue, options_.prefetch, options_.on_items)} {
    auto on_resolved = [inbox = std::weak_ptr{inbox_},
                        bus = parts_.bus](std::uint64_t origin, const Status& delivered) {
        const auto target = inbox.lock();
        if (!target) return; // closed: the original went back to its queue
        if (delivered) {
            target->ack(std::array{origin});
            return;
        }
        // There was no way to write the attempt down, so the original stays. Told before whoever
        // receives it next can ask.
        if (bus->on_notice) {
            bus->on_notice(fmt::format(
                "an item of queue '{}' could not be moved and is requeued: {}", target->queue(),
                delivered.error().detail));
        }
        target->refuse(origin, Intake::Refusal::requeue);
    };
    again_ = std::make_shared<Outbox>(Outbox::Terms{
        .capacity = options_.prefetch,
        .in_flight = options_.prefetch,
        .on_resolved = std::move(on_resolved)});
    parts_.publishing->add(again_);
}

Result<std::unique_ptr<WorkReceiver>> Receiver::open(Parts parts, ReceiverOptions options) {
    if (options.prefetch == 0 || options.prefetch > prefetch_max || options.max_attempts == 0) {
        return fail(
            Errc::invalid, fmt::format(
                               "a receiver of queue '{}' needs a prefetch from 1 to {} and at "
                               "least one attempt",
                               options.queue, prefetch_max));
    }
    if (!options.dead_letter.empty()) {
        const auto stats = parts.consuming->inspect(options.dead_letter);
        if (!stats) return fail(stats.error());
    }
    std::unique_ptr<Receiver> receiver{new Receiver{std::move(parts), std::move(options)}};
    if (auto ok = receiver->parts_.consuming->consume(receiver->inbox_); !ok)
        return fail(ok.error());
    return receiver;
}

Receiver::~Receiver() {
    inbox_->silence();
    // A copy that is confirmed after its original went back would be a duplicate: wait for it.
    [[maybe_unused]] const auto moved =
        again_->flush(deadline_after(parts_.bus->request_timeout / 2));
    parts_.consuming->close(inbox_);
    again_->abandon();
    parts_.publishing->wake();
}

Result<std::span<Delivered>> Receiver::receive(std::size_t max, Duration wait) {
    const auto deadline = deadline_after(wait);
    if (max == 0) return std::span<Delivered>{};
    auto chunk = std::make_unique<Chunk>();
    do {
        raw_.clear();
        if (auto ok = inbox_->take(raw_, max, deadline); !ok) return fail(ok.error());
        if (auto ok = decode(raw_, chunk->items); !ok) return fail(ok.error());
    } while (chunk->items.empty() && !raw_.empty()); // malformed ones only
    if (chunk->items.empty()) return std::span<Delivered>{};
    chunk->unsettled = chunk->items.size();
    chunks_.push_back(std::move(chunk));
    return std::span{chunks_.back()->items};
}

Status Receiver::decode(std::vector<RawDelivery>& raw, std::vector<Delivered>& out) {
    out.reserve(raw.size());
    for (auto& delivery : raw) {
        auto item = wire::decode_work_item(delivery.body);
        if (!item) {
            if (auto ok = bury_malformed(delivery, item.error()); !ok) return ok;
            continue;
        }
        out.push_back({std::move(*item), delivery.serial, delivery.attempt, delivery.redelivered});
    }
    return {};
}

Status Receiver::bury_malformed(RawDelivery& raw, const Error& why) {
    if (parts_.bus->counters) ++parts_.bus->counters->malformed;
    if (parts_.bus->on_notice) {
        parts_.bus->on_notice(fmt::format(
            "a body in queue '{}' is no work item and was {}: {}", options_.queue,
            options_.dead_letter.empty() ? "dropped" : "dead-lettered", why.detail));
    }
    if (options_.dead_letter.empty()) {
        inbox_->refuse(raw.serial, Intake::Refusal::discard);
        return {};
    }
    Outgoing copy;
    copy.key = options_.dead_letter;
    copy.body = std::move(raw.body);
    copy.error = why.detail.substr(0, error_bytes_max);
    copy.origin = raw.serial;
    auto put = again_->put(std::move(copy));
    parts_.publishing->wake();
    if (!put && put.error().code == Errc::limit) {
        inbox_->refuse(raw.serial, Intake::Refusal::requeue); // its turn comes again
        return {};
    }
    return put;
}

Delivered* Receiver::find(std::uint64_t tag, Chunk** in) {
    const auto chunk = std::ranges::upper_bound(
        chunks_, tag, {}, [](const auto& each) { return each->items.front().tag; });
    if (chunk == chunks_.begin()) return nullptr;
    *in = (chunk - 1)->get();
    auto& items = (*in)->items;
    const auto at = std::ranges::lower_bound(items, tag, {}, &Delivered::tag);
    return at != items.end() && at->tag == tag ? &*at : nullptr;
}

Status Receiver::ack(std::span<const std::uint64_t> tags) {
    for (const auto tag : tags) {
        Chunk* chunk = nullptr;
        Delivered* delivered = find(tag, &chunk);
        if (delivered == nullptr || delivered->attempt == 0) {
            return fail(
                Errc::not_found,
                fmt::format("queue '{}' has no unsettled delivery {}", options_.queue, tag));
        }
        settled(*chunk, *delivered);
    }
    drop_settled();
    inbox_->ack(tags);
    return {};
}

Status Receiver::settle(std::uint64_t tag, Verdict verdict, std::string_view reason) {
    Chunk* chunk = nullptr;
    Delivered* delivered = find(tag, &chunk);
    if (delivered == nullptr || delivered->attempt == 0) {
        return fail(
            Errc::not_found,
            fmt::format("queue '{}' has no unsettled delivery {}", options_.queue, tag));
    }
    const bool dead = verdict == Verdict::reject ||
                      (verdict == Verdict::retry && delivered->attempt >= options_.max_attempts);
    if (verdict == Verdict::requeue) {
        inbox_->refuse(tag, Intake::Refusal::requeue);
    } else if (dead && options_.dead_letter.empty()) {
        // The queue's own dead-letter queue takes it, if the broker knows one.
        if (parts_.bus->counters) ++parts_.bus->counters->dropped;
        inbox_->refuse(tag, Intake::Refusal::discard);
    } else if (auto ok = publish_again(*delivered, dead, reason); !ok) {
        return ok;
    }
    settled(*chunk, *delivered);
    drop_settled();
    return {};
}

Status Receiver::publish_again(Delivered& delivered, bool dead, std::string_view reason) {
    if (delivered.item.steps.empty()) {
        return fail(
            Errc::conflict, "an item that was moved out of its delivery can only be acknowledged");
    }
    Outgoing copy;
    copy.origin = delivered.tag;
    if (dead) {
        mark_dead(delivered.item, reason, delivered.attempt);
        copy.key = options_.dead_letter;
        copy.error = delivered.item.headers.text(error_header);
    } else {
        copy.key = options_.queue;
        copy.attempt = delivered.attempt + 1;
    }
    wire::encode(delivered.item, copy.body);
    // A dead letter may outgrow its decoders by its reason: better large than stuck here.
    const auto bound = dead ? parts_.bus->message_bytes_max : item_bytes_max(*parts_.bus);
    if (copy.body.size() > bound) {
        return fail(
            over_bound(fmt::format("the copy for queue '{}'", copy.key), copy.body.size(), bound));
    }
    auto put = again_->put(std::move(copy));
    parts_.publishing->wake();
    return put;
}

void Receiver::settled(Chunk& chunk, Delivered& delivered) {
    delivered.attempt = 0; // marks it: attempts count from 1
    --chunk.unsettled;
}

void Receiver::drop_settled() {
    std::erase_if(chunks_, [](const auto& chunk) { return chunk->unsettled == 0; });
}

} // namespace hive::bus::rabbitmq

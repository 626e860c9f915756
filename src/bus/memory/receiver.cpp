#include "bus/memory/receiver.hpp"

#include "bus/dead_letter.hpp"
#include "bus/memory/deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace hive::bus::memory {
namespace {

constexpr unsigned index_bits = 6; // of a tag; the rest is the serial number of the chunk
static_assert(Chunk::capacity == std::size_t{1} << index_bits);

constexpr std::uint64_t bit(std::size_t index) {
    return std::uint64_t{1} << index;
}

} // namespace

Result<std::unique_ptr<WorkReceiver>>
Receiver::open(const std::shared_ptr<Session>& session, ReceiverOptions options) {
    if (options.prefetch == 0 || options.max_attempts == 0) {
        return fail(
            Errc::invalid,
            fmt::format(
                "receiver of '{}': prefetch and max_attempts must be at least 1", options.queue));
    }
    auto queue = session->board().find(options.queue, session->id());
    if (!queue) return fail(queue.error());
    if (options.dead_letter.empty()) options.dead_letter = (*queue)->settings().dead_letter;
    std::unique_ptr<Receiver> receiver{
        new Receiver{session, std::move(*queue), std::move(options)}};
    if (auto added = session->add(*receiver); !added) return fail(added.error());
    // What waits already would never ring: only an arrival does.
    if (receiver->bell_ && receiver->queue_->has_items()) receiver->bell_->ring();
    return receiver;
}

Receiver::Receiver(std::shared_ptr<Session> session, QueuePtr queue, ReceiverOptions options)
    : session_{std::move(session)}, queue_{std::move(queue)}, options_{std::move(options)},
      bell_{options_.on_items ? std::make_shared<Bell>(options_.on_items) : nullptr} {
    queue_->add_receiver();
}

Receiver::~Receiver() {
    session_->drop(*this);
    Leftovers leftovers;
    shut(leftovers);
    session_->carry_out(leftovers);
    if (bell_) bell_->silence();
}

Status Receiver::check_queue() const {
    if (!queue_->removed()) return {};
    return fail(Errc::not_found, fmt::format("queue '{}' was removed", queue_->settings().name));
}

Result<std::span<Delivered>> Receiver::receive(std::size_t max, Duration wait) {
    if (max == 0) return std::span<Delivered>{};
    std::optional<Deadline> deadline; // reading the clock is not free
    for (;;) {
        Aftermath after;
        bool was_starved = false;
        Result<std::span<Delivered>> got;
        {
            const std::lock_guard lock{mutex_};
            was_starved = starved();
            got = try_receive(max, after);
        }
        session_->board().carry_out(queue_, after);
        if (!got || !got->empty()) return got;
        if (!deadline) deadline = deadline_after(wait);
        if (is_past(*deadline)) return got;
        if (was_starved) {
            queue_->wait_for_close(*deadline, session_->closed());
        } else {
            queue_->wait_for_items(*deadline, session_->closed());
        }
    }
}

Result<std::span<Delivered>> Receiver::try_receive(std::size_t max, Aftermath& after) {
    if (auto open = session_->check_open(); !open) return fail(open.error());
    asked_in_vain_ = true;
    if (starved()) {
        if (auto there = check_queue(); !there) return fail(there.error());
        return std::span<Delivered>{};
    }
    const std::size_t count = std::min(max, options_.prefetch - unsettled_);
    ChunkPtr chunk = queue_->take({count, session_->board().now(), emptied_, bell_}, after);
    if (!chunk) {
        if (auto there = check_queue(); !there) return fail(there.error());
        return std::span<Delivered>{};
    }
    asked_in_vain_ = false;
    const std::uint64_t first_tag = (first_serial_ + chunks_.size()) << index_bits;
    chunk->unsettled = 0;
    for (std::size_t i = chunk->begin; i < chunk->end; ++i) {
        chunk->items[i].tag = first_tag | i;
        chunk->unsettled |= bit(i);
    }
    unsettled_ += chunk->size();
    const std::span<Delivered> items{&chunk->items[chunk->begin], chunk->size()};
    chunks_.push_back(std::move(chunk));
    return items;
}

Result<Receiver::Spot> Receiver::find(std::uint64_t tag) {
    const std::uint64_t serial = tag >> index_bits;
    const std::size_t index = tag & (Chunk::capacity - 1);
    if (serial >= first_serial_ && serial - first_serial_ < chunks_.size()) {
        Chunk* chunk = chunks_[serial - first_serial_].get();
        if (chunk != nullptr && (chunk->unsettled & bit(index)) != 0) {
            return Spot{chunk, index, serial};
        }
    }
    return fail(
        Errc::invalid,
        fmt::format("tag {} is not unsettled at this receiver of '{}'", tag, options_.queue));
}

void Receiver::forget(const Spot& spot) {
    // Nearly all were moved on and hold nothing any more.
    wire::WorkItem& item = spot.chunk->items[spot.index].item;
    if (!item.steps.empty()) item.clear();
    spot.chunk->unsettled &= ~bit(spot.index);
    --unsettled_;
    if (spot.chunk->unsettled != 0) return;
    emptied_.push_back(std::move(chunks_[spot.serial - first_serial_]));
    while (!chunks_.empty() && !chunks_.front()) {
        chunks_.pop_front();
        ++first_serial_;
    }
}

Status Receiver::ack(std::span<const std::uint64_t> tags) {
    bool was_starved = false;
    {
        const std::lock_guard lock{mutex_};
        if (shut_) return session_->check_open();
        was_starved = starved();
        for (const std::uint64_t tag : tags) {
            const auto spot = find(tag);
            if (!spot) return fail(spot.error());
            forget(*spot);
        }
    }
    ring_if_fed(was_starved);
    return {};
}

Status Receiver::settle(std::uint64_t tag, Verdict verdict, std::string_view reason) {
    Leftovers leftovers;
    bool was_starved = false;
    {
        const std::lock_guard lock{mutex_};
        if (shut_) return session_->check_open();
        was_starved = starved();
        const auto spot = find(tag);
        if (!spot) return fail(spot.error());
        Delivered& delivered = spot->chunk->items[spot->index];
        if (delivered.item.steps.empty()) {
            return fail(
                Errc::invalid,
                fmt::format("the item of tag {} was moved out; acknowledge it instead", tag));
        }
        Aftermath after;
        if (verdict == Verdict::requeue) {
            queue_->put_back(spot->chunk->tickets[spot->index], std::move(delivered), after);
        } else if (verdict == Verdict::retry && delivered.attempt < options_.max_attempts) {
            queue_->retry(std::move(delivered), session_->board().now(), after);
        } else if (auto buried = bury(delivered, reason, leftovers); !buried) {
            return buried;
        }
        forget(*spot);
        leftovers.emplace_back(queue_, std::move(after));
    }
    session_->carry_out(leftovers);
    ring_if_fed(was_starved);
    return {};
}

Status Receiver::bury(Delivered& delivered, std::string_view reason, Leftovers& leftovers) {
    if (options_.dead_letter.empty()) return {};
    auto target = session_->board().find_any(options_.dead_letter);
    if (!target) return fail(target.error());
    if ((*target)->reserve(1) == 0) {
        return fail(
            Errc::limit, fmt::format(
                             "dead-letter queue '{}' is full; drain it and settle tag {} again",
                             options_.dead_letter, delivered.tag));
    }
    mark_dead(delivered.item, reason, delivered.attempt);
    Aftermath after;
    wire::WorkItem* const item = &delivered.item;
    (*target)->push_reserved({&item, 1}, session_->board().now(), after);
    leftovers.emplace_back(std::move(*target), std::move(after));
    return {};
}

void Receiver::ring_if_fed(bool was_starved) {
    // Its user saw nothing because it held too much; no arrival will tell it to ask again.
    if (was_starved && asked_in_vain_ && bell_ && queue_->has_items()) bell_->ring();
}

void Receiver::shut(Leftovers& leftovers) {
    const std::lock_guard lock{mutex_};
    if (std::exchange(shut_, true)) return;
    Aftermath after;
    return_all(after);
    after.unused = queue_->drop_receiver();
    leftovers.emplace_back(queue_, std::move(after));
    queue_->wake();
}

void Receiver::return_all(Aftermath& after) {
    // The chunks stay: their user may still hold a span of them.
    for (const auto& chunk : chunks_) {
        if (!chunk) continue;
        for (; chunk->unsettled != 0; chunk->unsettled &= chunk->unsettled - 1) {
            const auto index = static_cast<std::size_t>(std::countr_zero(chunk->unsettled));
            Delivered& delivered = chunk->items[index];
            if (delivered.item.steps.empty()) continue;
            queue_->put_back(chunk->tickets[index], std::move(delivered), after);
        }
    }
    unsettled_ = 0;
}

} // namespace hive::bus::memory

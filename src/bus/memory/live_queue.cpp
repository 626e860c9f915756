#include "bus/memory/live_queue.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <utility>

namespace hive::bus::memory {
namespace {

using Bells = std::vector<std::shared_ptr<Bell>>;

// Once each. Bells whose sender or receiver is gone would otherwise gather in a queue that stays
// full or empty.
void hang(Bells& bells, const std::shared_ptr<Bell>& bell) {
    std::erase_if(bells, [&](const auto& hung) { return hung == bell || hung.use_count() == 1; });
    bells.push_back(bell);
}

void move_to(Bells& bells, Aftermath& after) {
    if (bells.empty()) return;
    std::ranges::move(bells, std::back_inserter(after.bells));
    bells.clear();
}

} // namespace

LiveQueue::LiveQueue(bus::Queue settings, std::size_t limit, std::uint64_t owner)
    : settings_{std::move(settings)}, limit_{limit}, owner_{owner} {}

bool LiveQueue::usable_by(std::uint64_t session) const noexcept {
    return owner_ == 0 || owner_ == session;
}

bool LiveQueue::removed() const {
    const std::lock_guard lock{mutex_};
    return removed_;
}

QueueStats LiveQueue::stats(TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    expire_locked(now, after);
    QueueStats stats{.depth = ready(), .consumers = receivers_ + consumers_.size()};
    if (!work_.empty()) stats.oldest_age = now - work_.front().since;
    if (!control_.empty()) {
        const Duration age = now - control_.front().since;
        stats.oldest_age = std::max(stats.oldest_age.value_or(age), age);
    }
    return stats;
}

std::size_t LiveQueue::purge(Aftermath& after) {
    const std::lock_guard lock{mutex_};
    const std::size_t count = work_.clear() + control_.clear();
    announce_room(after);
    return count;
}

void LiveQueue::expire(TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    expire_locked(now, after);
}

void LiveQueue::remove(Aftermath& after) {
    const std::lock_guard lock{mutex_};
    removed_ = true;
    work_.clear();
    control_.clear();
    consumers_.clear();
    move_to(item_bells_, after);
    move_to(room_bells_, after);
    items_.notify_all();
    room_.notify_all();
    closing_.notify_all();
}

void LiveQueue::wake() {
    const std::lock_guard lock{mutex_};
    items_.notify_all();
    room_.notify_all();
    closing_.notify_all();
}

std::size_t LiveQueue::room() const noexcept {
    if (settings_.overflow == Overflow::drop_oldest) return std::numeric_limits<std::size_t>::max();
    const std::size_t used = ready() + reserved_;
    return used < limit_ ? limit_ - used : 0;
}

std::size_t LiveQueue::push(ItemRefs items, TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    if (removed_) return 0;
    const std::size_t count = std::min(items.size(), room());
    append(items.first(count), now, after);
    return count;
}

std::size_t LiveQueue::reserve(std::size_t wanted) {
    const std::lock_guard lock{mutex_};
    const std::size_t count = removed_ ? wanted : std::min(wanted, room());
    reserved_ += count;
    return count;
}

void LiveQueue::cancel(std::size_t reserved) {
    const std::lock_guard lock{mutex_};
    assert(reserved <= reserved_);
    reserved_ -= reserved;
}

void LiveQueue::push_reserved(ItemRefs items, TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    assert(items.size() <= reserved_);
    reserved_ -= items.size();
    if (!removed_) append(items, now, after);
}

void LiveQueue::append(ItemRefs items, TimePoint now, Aftermath& after) {
    if (items.empty()) return;
    for (wire::WorkItem* item : items) {
        Delivered& last = work_.append({next_place_++, now});
        last.item.swap(*item);
        last.attempt = 1;
        last.redelivered = false;
    }
    trim(after);
    announce_items(items.size(), after);
}

void LiveQueue::push_reserved(Letter letter, TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    assert(reserved_ > 0);
    --reserved_;
    if (removed_) return;
    control_.put(next_place_++, {std::move(letter), now, false});
    trim(after);
    announce_letters(after);
}

void LiveQueue::wait_for_room(Deadline deadline, const std::atomic<bool>& closed) {
    std::unique_lock lock{mutex_};
    ++waiting_senders_;
    room_.wait_until(lock, deadline, [&] { return removed_ || closed || room() > 0; });
    --waiting_senders_;
}

bool LiveQueue::ring_when_room(const std::shared_ptr<Bell>& bell) {
    const std::lock_guard lock{mutex_};
    if (removed_ || room() > 0) return false;
    hang(room_bells_, bell);
    return true;
}

ChunkPtr LiveQueue::take(const Demand& demand, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    for (auto& chunk : demand.emptied) work_.recycle(std::move(chunk));
    demand.emptied.clear();
    expire_locked(demand.now, after);
    ChunkPtr chunk = work_.take(demand.max);
    if (chunk) {
        announce_room(after);
    } else if (demand.bell) {
        hang(item_bells_, demand.bell);
    }
    return chunk;
}

void LiveQueue::wait_for_items(Deadline deadline, const std::atomic<bool>& closed) {
    std::unique_lock lock{mutex_};
    ++waiting_receivers_;
    items_.wait_until(lock, deadline, [&] { return removed_ || closed || !work_.empty(); });
    --waiting_receivers_;
}

void LiveQueue::wait_for_close(Deadline deadline, const std::atomic<bool>& closed) {
    std::unique_lock lock{mutex_};
    closing_.wait_until(lock, deadline, [&] { return removed_ || closed; });
}

void LiveQueue::put_back(const Ticket& ticket, Delivered delivered, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    if (removed_) return;
    delivered.redelivered = true;
    work_.put_back(ticket, std::move(delivered));
    trim(after);
    announce_items(1, after);
}

void LiveQueue::retry(Delivered delivered, TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    if (removed_) return;
    Delivered& last = work_.append({next_place_++, now});
    last = std::move(delivered);
    last.redelivered = true;
    ++last.attempt;
    trim(after);
    announce_items(1, after);
}

bool LiveQueue::has_items() const {
    const std::lock_guard lock{mutex_};
    return !work_.empty();
}

void LiveQueue::add_receiver() {
    const std::lock_guard lock{mutex_};
    ++receivers_;
}

bool LiveQueue::drop_receiver() {
    const std::lock_guard lock{mutex_};
    assert(receivers_ > 0);
    --receivers_;
    // The one that goes may have been the only one told of the latest item.
    if (!work_.empty()) items_.notify_all();
    return last_consumer();
}

bool LiveQueue::add_consumer(const ConsumerPtr& consumer, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    if (removed_ || !consumer->active) return false;
    consumers_.push_back(consumer);
    announce_letters(after);
    return true;
}

bool LiveQueue::drop_consumer(const ConsumerPtr& consumer) {
    const std::lock_guard lock{mutex_};
    return std::erase(consumers_, consumer) > 0 && last_consumer();
}

bool LiveQueue::has_free_consumer() const {
    return std::ranges::any_of(consumers_, [](const ConsumerPtr& consumer) {
        return consumer->unsettled.size() < consumer->prefetch;
    });
}

std::optional<LiveQueue::Job> LiveQueue::next_job(TimePoint now, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    expire_locked(now, after);
    if (control_.empty() || !has_free_consumer()) {
        dispatching_ = false;
        return std::nullopt;
    }
    // In turn, as a broker does, so that one consumer does not starve the others.
    ConsumerPtr consumer;
    do {
        consumer = consumers_[next_consumer_++ % consumers_.size()];
    } while (consumer->unsettled.size() >= consumer->prefetch);
    const std::uint64_t place = control_.front().place;
    WaitingLetter waiting = control_.pop();
    consumer->unsettled.emplace(place, waiting);
    announce_room(after);
    return Job{std::move(consumer), place, std::move(waiting)};
}

void LiveQueue::settle(Consumer& consumer, std::uint64_t place, bool ack, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    auto settled = consumer.unsettled.extract(place);
    if (settled.empty()) return; // returned already when its connection closed
    if (!ack && !removed_) {
        settled.mapped().redelivered = true;
        control_.put(place, std::move(settled.mapped()));
        trim(after);
    }
    announce_letters(after);
}

bool LiveQueue::all_settled(const Consumer& consumer) const {
    const std::lock_guard lock{mutex_};
    return consumer.unsettled.empty();
}

void LiveQueue::return_unsettled(Consumer& consumer, Aftermath& after) {
    const std::lock_guard lock{mutex_};
    for (auto& [place, waiting] : consumer.unsettled) {
        waiting.redelivered = true;
        if (!removed_) control_.put(place, std::move(waiting));
    }
    consumer.unsettled.clear();
    trim(after);
    announce_letters(after);
}

void LiveQueue::evict_oldest(Aftermath& after) {
    const bool letter =
        work_.empty() || (!control_.empty() && control_.front().place < work_.front().place);
    if (letter) {
        after.evicted_letters.push_back(control_.pop().letter);
    } else {
        after.evicted_items.push_back(work_.pop());
    }
}

void LiveQueue::trim(Aftermath& after) {
    if (settings_.overflow != Overflow::drop_oldest) return;
    while (ready() > limit_) evict_oldest(after);
}

void LiveQueue::expire_locked(TimePoint now, Aftermath& after) {
    if (!settings_.message_ttl) return;
    const auto expired = [&](const auto& lane) {
        return !lane.empty() && now - lane.front().since >= *settings_.message_ttl;
    };
    bool any = false;
    for (; expired(work_); any = true) after.evicted_items.push_back(work_.pop());
    for (; expired(control_); any = true) after.evicted_letters.push_back(control_.pop().letter);
    if (any) announce_room(after);
}

void LiveQueue::announce_items(std::size_t count, Aftermath& after) {
    if (waiting_receivers_ > 0) {
        if (count == 1) {
            items_.notify_one();
        } else {
            items_.notify_all();
        }
    }
    move_to(item_bells_, after);
}

void LiveQueue::announce_room(Aftermath& after) {
    if (room() == 0) return;
    if (waiting_senders_ > 0) room_.notify_all();
    move_to(room_bells_, after);
}

void LiveQueue::announce_letters(Aftermath& after) {
    if (dispatching_ || control_.empty() || !has_free_consumer()) return;
    dispatching_ = true;
    after.dispatch = true;
}

} // namespace hive::bus::memory

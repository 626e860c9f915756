#include "bus/rabbitmq/outbox.hpp"

#include "bus/rabbitmq/steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

// How long a full queue is left alone before the refused message is offered again.
constexpr Duration refusal_pause = 5ms;
// A ring keeps the buffers of its slots; a rare large body must not pin memory for ever.
constexpr std::size_t kept_capacity_max = 64UL * 1024;

} // namespace

Outbox::Outbox(Terms terms)
    : terms_{std::move(terms)}, slots_(terms_.capacity),
      allowance_{std::min(terms_.in_flight, terms_.capacity)} {
    assert(terms_.capacity > 0 && terms_.in_flight > 0);
}

Result<std::size_t> Outbox::await_room(TimePoint deadline) {
    std::unique_lock lock{mutex_};
    changed_.wait_until(
        lock, steady(deadline), [&] { return failed_ || last_ - first_ < slots_.size(); });
    if (failed_) return fail(*failed_);
    return slots_.size() - (last_ - first_);
}

Outgoing& Outbox::free_slot(std::size_t index) {
    return slot(last_ + index).message;
}

void Outbox::commit(std::size_t count) {
    const std::lock_guard lock{mutex_};
    for (std::size_t i = 0; i < count; ++i, ++last_) {
        Slot& at = slot(last_);
        assert(at.state == State::free);
        at.message.serial = last_;
        at.state = State::waiting;
    }
}

Status Outbox::put(Outgoing message) {
    const std::lock_guard lock{mutex_};
    if (failed_) return fail(*failed_);
    if (auto error = std::exchange(lost_one_, std::nullopt)) return fail(std::move(*error));
    if (last_ - first_ == slots_.size()) {
        return fail(
            Errc::limit,
            fmt::format(
                "the outbox to RabbitMQ is full: {} messages wait for the broker; try again later",
                slots_.size()));
    }
    Slot& at = slot(last_);
    at.message = std::move(message);
    at.message.serial = last_++;
    at.state = State::waiting;
    return {};
}

Status Outbox::flush(TimePoint deadline) {
    std::unique_lock lock{mutex_};
    const auto target = last_;
    changed_.wait_until(
        lock, steady(deadline), [&] { return failed_ || lost_one_ || first_ >= target; });
    if (auto error = std::exchange(lost_one_, std::nullopt)) return fail(std::move(*error));
    if (first_ >= target) return {};
    if (failed_) return fail(*failed_);
    return fail(
        Errc::timeout,
        fmt::format("{} messages were not confirmed by RabbitMQ in time", target - first_));
}

std::uint64_t Outbox::accepted() const {
    const std::lock_guard lock{mutex_};
    return last_;
}

std::uint64_t Outbox::confirmed() const {
    const std::lock_guard lock{mutex_};
    return first_;
}

void Outbox::abandon() {
    progress_.silence();
    const std::lock_guard lock{mutex_};
    abandoned_ = true;
}

void Outbox::close(Error error) {
    const std::lock_guard lock{mutex_};
    if (!failed_) failed_ = std::move(error);
    changed_.notify_all();
}

void Outbox::take(std::vector<const Outgoing*>& out, std::size_t max, TimePoint now) {
    const std::lock_guard lock{mutex_};
    if (failed_ && terms_.fails_for_good && failed_->code != Errc::closed) return;
    if (!refused_.empty() && now < retry_at_) return;
    const auto send = [&](std::uint64_t serial) {
        Slot& at = slot(serial);
        at.state = State::sent;
        at.returned.reset();
        flights_.push_back({serial, true});
        ++in_flight_;
        out.push_back(&at.message);
        --max;
    };
    while (max > 0 && in_flight_ < allowance_ && !refused_.empty()) {
        send(*refused_.begin());
        refused_.erase(refused_.begin());
    }
    for (; max > 0 && in_flight_ < allowance_ && next_ < last_; ++next_) {
        if (slot(next_).state == State::waiting) send(next_);
    }
}

std::optional<TimePoint> Outbox::retry_at() const {
    const std::lock_guard lock{mutex_};
    if (refused_.empty() || in_flight_ >= allowance_) return std::nullopt;
    return retry_at_;
}

// AMQP: tag 0 with `multiple` means all of them.
std::size_t Outbox::land(Tags tags, bool ok, TimePoint now) {
    const std::lock_guard lock{mutex_};
    auto [tag, multiple] = tags;
    if (tag == 0 && multiple) tag = first_tag_ + flights_.size() - 1;
    if (tag < first_tag_ || tag - first_tag_ >= flights_.size()) return 0;
    std::size_t landed = 0;
    const std::size_t end = static_cast<std::size_t>(tag - first_tag_);
    for (std::size_t i = multiple ? 0 : end; i <= end; ++i) {
        if (!std::exchange(flights_[i].open, false)) continue;
        const auto serial = flights_[i].serial;
        --in_flight_;
        ++landed;
        if (ok) {
            auto& returned = slot(serial).returned;
            resolve(serial, returned ? Status{fail(*returned)} : Status{});
            if (allowance_ < terms_.in_flight) ++allowance_;
        } else if (terms_.on_resolved) {
            resolve(serial, fail(Errc::limit, "the queue is full"));
        } else {
            slot(serial).state = State::refused;
            refused_.insert(serial);
            allowance_ = 1;
            retry_at_ = add(now, refusal_pause);
        }
    }
    while (!flights_.empty() && !flights_.front().open) {
        flights_.pop_front();
        ++first_tag_;
    }
    advance();
    return landed;
}

void Outbox::resolve(std::uint64_t serial, Status status) {
    Slot& at = slot(serial);
    at.state = State::resolved;
    if (terms_.on_resolved) resolutions_.push_back({at.message.origin, std::move(status)});
}

void Outbox::advance() {
    // A failed outbox confirms nothing more: what follows the failed message is out of order.
    if (failed_ && terms_.fails_for_good && failed_->code != Errc::closed) return;
    while (first_ < last_ && slot(first_).state == State::resolved) {
        Slot& at = slot(first_++);
        at.state = State::free;
        if (at.message.body.capacity() > kept_capacity_max) std::string{}.swap(at.message.body);
    }
}

void Outbox::returned(std::uint64_t serial, Error why) {
    const std::lock_guard lock{mutex_};
    if (terms_.fails_for_good) {
        if (!failed_ || failed_->code == Errc::closed) failed_ = std::move(why);
    } else if (serial >= first_ && serial < last_) {
        slot(serial).returned = std::move(why); // its confirmation follows
    }
}

void Outbox::channel_closed(const Error& error) {
    const std::lock_guard lock{mutex_};
    if (terms_.fails_for_good) {
        if (!failed_ || failed_->code == Errc::closed) failed_ = error;
    } else if (in_flight_ == 1) {
        const auto culprit = std::ranges::find_if(flights_, &Flight::open);
        resolve(culprit->serial, fail(error));
        culprit->open = false;
        if (!terms_.on_resolved) lost_one_ = error;
    }
    put_back();
    allowance_ = 1;
    advance();
}

std::size_t Outbox::session_lost() {
    const std::lock_guard lock{mutex_};
    const std::size_t again = in_flight_;
    put_back();
    return again;
}

void Outbox::put_back() {
    for (const auto& flight : flights_) {
        if (flight.open) slot(flight.serial).state = State::waiting;
    }
    for (const auto serial : refused_) slot(serial).state = State::waiting;
    flights_.clear();
    refused_.clear();
    first_tag_ = 1;
    in_flight_ = 0;
    next_ = first_;
}

bool Outbox::idle() const {
    const std::lock_guard lock{mutex_};
    return first_ == last_ || (failed_ && terms_.fails_for_good && failed_->code != Errc::closed);
}

bool Outbox::finished() const {
    return idle() && [&] {
        const std::lock_guard lock{mutex_};
        return abandoned_;
    }();
}

void Outbox::announce() {
    std::vector<Resolution> resolutions;
    {
        const std::lock_guard lock{mutex_};
        resolutions.swap(resolutions_);
    }
    changed_.notify_all();
    for (const auto& [origin, status] : resolutions) terms_.on_resolved(origin, status);
    progress_.ring();
}

} // namespace hive::bus::rabbitmq

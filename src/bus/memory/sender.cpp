#include "bus/memory/sender.hpp"

#include "bus/item_refs.hpp"
#include "bus/memory/deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus::memory {
namespace {

std::shared_ptr<Bell> bell_for(std::function<void()> callback) {
    return callback ? std::make_shared<Bell>(std::move(callback)) : nullptr;
}

} // namespace

Result<std::unique_ptr<WorkSender>>
Sender::open(std::shared_ptr<Session> session, SenderOptions options) {
    std::unique_ptr<Sender> sender{new Sender{std::move(session), std::move(options)}};
    if (auto added = sender->session_->add(*sender); !added) return fail(added.error());
    return sender;
}

Sender::Sender(std::shared_ptr<Session> session, SenderOptions options)
    : session_{std::move(session)}, bell_{bell_for(std::move(options.on_progress))} {}

Sender::~Sender() {
    session_->drop(*this);
    if (bell_) bell_->silence();
}

Result<std::size_t> Sender::send(const Route& route, ItemRefs items, Duration wait) {
    if (failed_) return fail(*failed_);
    if (items.empty()) return std::size_t{0};
    std::optional<Deadline> deadline; // reading the clock is not free
    for (;;) {
        if (auto open = session_->check_open(); !open) return fail(open.error());
        if (auto aimed = aim(route); !aimed) return fail(aimed.error());
        const std::size_t taken = offer(items);
        accepted_ += taken;
        if (taken == items.size()) return taken;
        if (!deadline) deadline = deadline_after(wait);
        // A queue removed meanwhile is not full: look where the route leads now.
        if (taken == 0 && full_->removed()) continue;
        if (taken > 0 || is_past(*deadline)) {
            ring_when_room();
            return taken;
        }
        wait_for_room(*deadline);
    }
}

Status Sender::aim(const Route& route) {
    const std::uint64_t version = session_->board().version();
    if (version == aimed_version_ && route.key == aimed_at_.key &&
        route.exchange == aimed_at_.exchange) {
        return {};
    }
    if (auto granted = session_->grants().may_publish(route.exchange, route.key); !granted) {
        return granted;
    }
    auto targets = session_->board().resolve(route);
    if (targets && targets->empty()) {
        targets = fail(
            Errc::not_found,
            route.exchange.empty()
                ? fmt::format("queue '{}' does not exist; declare it first", route.key)
                : fmt::format(
                      "no queue is bound to '{}' of exchange '{}'", route.key, route.exchange));
    }
    if (!targets) {
        failed_ = targets.error();
        return fail(*failed_);
    }
    targets_ = std::move(*targets);
    aimed_at_ = route;
    aimed_version_ = version;
    return {};
}

std::size_t Sender::offer(ItemRefs items) {
    const TimePoint now = session_->board().now();
    if (targets_.size() > 1) return offer_to_all(items, now);
    Aftermath after;
    const auto& target = targets_.front();
    const std::size_t taken = target->push(items, now, after);
    session_->board().carry_out(target, after);
    if (taken < items.size()) full_ = target;
    return taken;
}

std::size_t Sender::offer_to_all(ItemRefs items, TimePoint now) {
    std::size_t count = items.size();
    std::vector<std::size_t> reserved;
    for (const auto& target : targets_) {
        reserved.push_back(target->reserve(count));
        if (reserved.back() < count) full_ = target;
        count = reserved.back();
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i]->cancel(reserved[i] - count);
    if (count == 0) return 0;
    const auto accepted = items.first(count);
    for (const auto& target : targets_) {
        Aftermath after;
        if (target == targets_.back()) {
            target->push_reserved(accepted, now, after);
        } else {
            std::vector<wire::WorkItem> copies;
            copies.reserve(count);
            for (const wire::WorkItem* item : accepted) copies.push_back(*item);
            target->push_reserved(refs_of(copies), now, after);
        }
        session_->board().carry_out(target, after);
    }
    return count;
}

void Sender::wait_for_room(Deadline deadline) {
    {
        const std::lock_guard lock{mutex_};
        waiting_for_ = full_;
    }
    full_->wait_for_room(deadline, session_->closed());
    const std::lock_guard lock{mutex_};
    waiting_for_.reset();
}

void Sender::ring_when_room() {
    if (bell_ && !full_->ring_when_room(bell_)) bell_->ring();
}

Status Sender::flush(Duration) {
    if (failed_) return fail(*failed_);
    return session_->check_open();
}

void Sender::shut(Leftovers&) {
    const std::lock_guard lock{mutex_};
    if (waiting_for_) waiting_for_->wake();
}

} // namespace hive::bus::memory

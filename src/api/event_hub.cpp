#include "api/event_hub.hpp"

#include "kernel/json.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

namespace hive::api {
namespace {

// What else there is to do on a thread gets its turn after so many events.
constexpr std::size_t turn_max = 64;

std::string message_of(const StreamEvent& event) {
    std::string out = fmt::format("{{\"type\":\"event\",\"seq\":{},\"topic\":", event.sequence);
    append_json_string(out, event.topic);
    out += ",\"data\":";
    out += event.data;
    out += '}';
    return out;
}

} // namespace

const ws::FramePtr& Broadcast::frame() const {
    std::call_once(
        framed_, [this] { frame_ = ws::make_frame(ws::Opcode::text, message_of(*event_)); });
    return frame_;
}

const ws::FramePtr& Broadcast::text() const {
    std::call_once(written_, [this] {
        text_ = std::make_shared<const std::string>(
            fmt::format("id: {}\ndata: {}\n\n", event_->sequence, message_of(*event_)));
    });
    return text_;
}

std::string gap_notice(const Gap& gap) {
    return fmt::format(R"({{"type":"gap","first":{},"last":{}}})", gap.first, gap.last);
}

EventHub::Membership& EventHub::Membership::operator=(Membership&& other) noexcept {
    if (this != &other) {
        reset();
        leave_ = std::exchange(other.leave_, nullptr);
    }
    return *this;
}

void EventHub::Membership::reset() {
    if (auto leave = std::exchange(leave_, nullptr)) leave();
}

EventHub::EventHub(HubLimits limits)
    : window_{limits.window_events, limits.window_bytes, limits.first},
      presence_{std::make_shared<Presence>()} {}

void EventHub::serve_on(const std::vector<boost::asio::any_io_executor>& threads) {
    const std::lock_guard lock{mutex_};
    for (const auto& thread : threads) groups_.push_back(std::make_shared<Group>(thread));
}

void EventHub::stop_serving() {
    const std::lock_guard lock{mutex_};
    groups_.clear();
}

std::uint64_t EventHub::publish(std::string topic, std::string data) {
    // A line break would end a server-sent event early; compact JSON has none.
    std::ranges::replace(data, '\n', ' ');
    std::ranges::replace(data, '\r', ' ');
    // Under the lock until every thread has it: each thread sees events in their order.
    const std::lock_guard lock{mutex_};
    const StreamEventPtr event = window_.append(std::move(topic), std::move(data));
    BroadcastPtr broadcast;
    for (const auto& group : groups_) {
        if (group->present == 0) continue;
        if (!broadcast) broadcast = std::make_shared<const Broadcast>(event);
        hand(group, broadcast);
    }
    return event->sequence;
}

void EventHub::hand(const std::shared_ptr<Group>& group, const BroadcastPtr& broadcast) {
    bool first = false;
    {
        const std::lock_guard lock{group->mutex};
        first = group->waiting.empty();
        group->waiting.push_back(broadcast);
    }
    if (first) boost::asio::post(group->thread, [group] { group->tell(group); });
}

void EventHub::Group::tell(const std::shared_ptr<Group>& self) {
    std::vector<BroadcastPtr> events;
    {
        const std::lock_guard lock{mutex};
        const auto end =
            waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), turn_max));
        events.assign(std::make_move_iterator(waiting.begin()), std::make_move_iterator(end));
        waiting.erase(waiting.begin(), end);
        if (!waiting.empty()) boost::asio::post(thread, [self] { self->tell(self); });
    }
    for (const auto& event : events) {
        // A listener may leave while it is told.
        const std::vector<Listener*> all{listeners.begin(), listeners.end()};
        for (Listener* listener : all) {
            if (listeners.contains(listener)) listener->receive(event);
        }
    }
}

std::uint64_t EventHub::last() const {
    const std::lock_guard lock{mutex_};
    return window_.last();
}

std::uint64_t EventHub::published() const {
    const std::lock_guard lock{mutex_};
    return window_.appended();
}

Backlog EventHub::since(std::uint64_t sequence, std::size_t events_max) const {
    const std::lock_guard lock{mutex_};
    return window_.since(sequence, events_max);
}

EventHub::Membership
EventHub::join(const boost::asio::any_io_executor& thread, Listener& listener) {
    const std::lock_guard lock{mutex_};
    const auto at = std::ranges::find(
        groups_, thread, [](const auto& group) -> const auto& { return group->thread; });
    if (at == groups_.end()) return {}; // stopped serving: nothing will come
    (*at)->listeners.insert(&listener);
    ++(*at)->present;
    std::string proof{listener.proof()};
    {
        const std::lock_guard present{presence_->mutex};
        ++presence_->count[proof];
    }
    return Membership{[group = *at, &listener, presence = presence_, proof = std::move(proof)] {
        group->listeners.erase(&listener);
        --group->present;
        const std::lock_guard present{presence->mutex};
        const auto here = presence->count.find(proof);
        if (--here->second == 0) presence->count.erase(here);
    }};
}

std::vector<std::string> EventHub::proofs() const {
    const std::lock_guard present{presence_->mutex};
    std::vector<std::string> all;
    all.reserve(presence_->count.size());
    for (const auto& [proof, count] : presence_->count) all.push_back(proof);
    return all;
}

void EventHub::dismiss(const std::string& proof) {
    const std::lock_guard lock{mutex_};
    for (const auto& group : groups_) {
        boost::asio::post(group->thread, [group, proof] {
            const std::vector<Listener*> all{group->listeners.begin(), group->listeners.end()};
            for (Listener* listener : all) {
                if (!group->listeners.contains(listener)) continue;
                if (listener->proof() == proof) listener->dismiss();
            }
        });
    }
}

} // namespace hive::api

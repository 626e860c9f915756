#include "tests/simulation/broker.hpp"

#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::simulation {

Broker::Broker(BrokerSurroundings& surroundings) : around_{surroundings} {
    exchanges_.try_emplace(std::string{wire::control_exchange});
}

const std::vector<Broker::QueueState*>& Broker::routed(std::string_view key) {
    routed_.clear();
    const auto control = exchanges_.find(wire::control_exchange);
    if (control == exchanges_.end()) return routed_;
    for (const Route& route : control->second.routes) {
        if (!route.topic.matches(key)) continue;
        if (std::ranges::find(routed_, route.queue) == routed_.end()) {
            routed_.push_back(route.queue);
        }
    }
    return routed_;
}

bool Broker::has_room_for(std::string_view routing_key) {
    return std::ranges::all_of(routed(routing_key), [this](QueueState* queue) {
        const auto& settings = queue->settings;
        if (!settings.max_length || settings.overflow != bus::Overflow::push_back) return true;
        drop_expired(*queue);
        return queue->ready.size() < *settings.max_length;
    });
}

std::size_t
Broker::accept(std::shared_ptr<const bus::ControlMessage> message, bus::Persistence persistence) {
    const auto& queues = routed(message->routing_key);
    for (QueueState* queue : queues) {
        enqueue(*queue, {.message = message, .persistence = persistence});
    }
    return queues.size();
}

void Broker::enqueue(QueueState& queue, Parcel parcel) {
    parcel.place = queue.next_place++;
    parcel.queued_at = around_.now();
    queue.ready.push_back(std::move(parcel));
    if (queue.settings.message_ttl) {
        around_.expire_later(queue.settings.name, around_.now() + *queue.settings.message_ttl);
    }
    pump(queue);
    if (queue.settings.max_length && queue.ready.size() > *queue.settings.max_length) {
        Parcel oldest = std::move(queue.ready.front());
        queue.ready.pop_front();
        dead_letter(queue, std::move(oldest));
    }
}

void Broker::dead_letter(const QueueState& from, Parcel parcel) {
    const auto target = queues_.find(from.settings.dead_letter);
    // Queues that are each other's dead-letter queue would pass one message round for ever.
    constexpr std::uint32_t deaths_max = 8;
    if (target == queues_.end() || ++parcel.deaths > deaths_max) return;
    parcel.redelivered = false;
    enqueue(target->second, std::move(parcel));
}

void Broker::drop_expired(QueueState& queue) {
    const auto ttl = queue.settings.message_ttl;
    if (!ttl) return;
    while (!queue.ready.empty() && queue.ready.front().queued_at + *ttl <= around_.now()) {
        Parcel expired = std::move(queue.ready.front());
        queue.ready.pop_front();
        dead_letter(queue, std::move(expired));
    }
}

void Broker::expire(const std::string& queue) {
    if (const auto found = queues_.find(queue); found != queues_.end()) drop_expired(found->second);
}

std::optional<ConsumerId> Broker::consumer_with_credit(QueueState& queue) {
    const std::size_t count = queue.consumers.size();
    for (std::size_t i = 0; i < count; ++i) {
        const ConsumerId id = queue.consumers[(queue.turn + i) % count];
        if (state_of(id).held.size() >= state_of(id).prefetch) continue;
        queue.turn = (queue.turn + i + 1) % count;
        return id;
    }
    return std::nullopt;
}

void Broker::pump(QueueState& queue) {
    drop_expired(queue);
    while (!queue.ready.empty()) {
        const auto id = consumer_with_credit(queue);
        if (!id) return;
        const std::uint64_t tag = next_tag_++;
        auto& held = state_of(*id).held;
        held.push_back({tag, std::move(queue.ready.front())});
        queue.ready.pop_front();
        around_.hand_over(*id, tag, held.back().parcel);
    }
}

void Broker::resume(ConsumerId consumer) {
    if (state_of(consumer).queue != nullptr) pump(*state_of(consumer).queue);
}

Result<ConsumerId>
Broker::consume(SessionId session, const std::string& queue, std::size_t prefetch) {
    const auto found = usable(session, queue);
    if (!found) return fail(found.error());
    if (prefetch == 0) {
        return fail(Errc::invalid, fmt::format("prefetch of queue '{}' must be at least 1", queue));
    }
    const auto id = static_cast<ConsumerId>(consumers_.size());
    consumers_.push_back({.session = session, .queue = *found, .prefetch = prefetch});
    (*found)->consumers.push_back(id);
    return id;
}

void Broker::detach(ConsumerState& consumer, ConsumerId id) {
    QueueState* queue = consumer.queue;
    if (queue == nullptr || std::erase(queue->consumers, id) == 0) return;
    queue->turn = 0;
    if (queue->settings.auto_delete && queue->consumers.empty()) erase_queue(*queue);
}

void Broker::cancel(ConsumerId consumer) {
    detach(state_of(consumer), consumer);
}

void Broker::settle(ConsumerId consumer, std::uint64_t tag, bool ack) {
    ConsumerState& state = state_of(consumer);
    const auto held = std::ranges::find(state.held, tag, &Held::tag);
    if (held == state.held.end()) return; // settled on an earlier session: it has gone back
    Parcel parcel = std::move(held->parcel);
    state.held.erase(held);
    if (state.queue == nullptr) return;
    if (!ack) put_back(*state.queue, std::move(parcel));
    pump(*state.queue);
}

void Broker::put_back(QueueState& queue, Parcel parcel) {
    parcel.redelivered = true;
    parcel.place = around_.place_of_return(parcel, queue.ready);
    const auto at = std::ranges::upper_bound(queue.ready, parcel.place, {}, &Parcel::place);
    queue.ready.insert(at, std::move(parcel));
}

void Broker::put_back_all(ConsumerState& consumer) {
    auto held = std::exchange(consumer.held, {});
    if (consumer.queue == nullptr) return;
    for (Held& one : held) put_back(*consumer.queue, std::move(one.parcel));
}

void Broker::end_session(SessionId session) {
    for (std::size_t i = 0; i < consumers_.size(); ++i) {
        if (consumers_[i].session != session) continue;
        put_back_all(consumers_[i]);
        detach(consumers_[i], static_cast<ConsumerId>(i));
    }
    for (auto at = queues_.begin(); at != queues_.end();) {
        QueueState& queue = (at++)->second;
        if (queue.settings.exclusive && queue.owner == session) erase_queue(queue);
    }
    for (auto& [name, queue] : queues_) pump(queue);
}

void Broker::restart() {
    for (ConsumerState& consumer : consumers_) {
        put_back_all(consumer);
        consumer.queue = nullptr;
    }
    std::erase_if(exchanges_, [](const auto& entry) { return !entry.second.durable; });
    for (auto at = queues_.begin(); at != queues_.end();) {
        QueueState& queue = (at++)->second;
        queue.consumers.clear();
        if (!queue.settings.durable || queue.settings.exclusive) {
            erase_queue(queue);
            continue;
        }
        std::erase_if(queue.ready, [](const Parcel& parcel) {
            return parcel.persistence == bus::Persistence::transient;
        });
    }
}

} // namespace hive::simulation

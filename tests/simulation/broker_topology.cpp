// The part of the broker that declares, binds, inspects and removes.
#include "tests/simulation/broker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::simulation {

Result<Broker::QueueState*> Broker::usable(SessionId session, std::string_view name) {
    const auto found = queues_.find(name);
    if (found == queues_.end()) {
        return fail(Errc::not_found, fmt::format("queue '{}' does not exist", name));
    }
    QueueState& queue = found->second;
    if (queue.settings.exclusive && queue.owner != session) {
        return fail(
            Errc::denied, fmt::format("queue '{}' is exclusive to another connection", name));
    }
    return &queue;
}

Status Broker::declare_exchange(const bus::Exchange& exchange) {
    const auto [found, fresh] = exchanges_.try_emplace(exchange.name);
    if (fresh) found->second.durable = exchange.durable;
    if (found->second.durable == exchange.durable) return {};
    return fail(
        Errc::conflict, fmt::format("exchange '{}' exists with another durability", exchange.name));
}

Status Broker::declare_queue(SessionId session, const bus::Queue& queue) {
    if (!has_queue(queue.name)) {
        queues_.emplace(queue.name, QueueState{.settings = queue, .owner = session});
        return {};
    }
    const auto existing = usable(session, queue.name);
    if (!existing) return fail(existing.error());
    if ((*existing)->settings == queue) return {};
    return fail(Errc::conflict, fmt::format("queue '{}' exists with other settings", queue.name));
}

Status Broker::declare(SessionId session, const bus::Layout& layout) {
    for (const auto& exchange : layout.exchanges) {
        if (auto done = declare_exchange(exchange); !done) return done;
    }
    for (const auto& queue : layout.queues) {
        if (auto done = declare_queue(session, queue); !done) return done;
    }
    for (const auto& binding : layout.bindings) {
        if (auto done = bind(session, binding); !done) return done;
    }
    return {};
}

Status Broker::bind(SessionId session, const bus::Binding& binding) {
    const auto queue = usable(session, binding.queue);
    if (!queue) return fail(queue.error());
    const auto exchange = exchanges_.find(binding.exchange);
    if (exchange == exchanges_.end()) {
        return fail(Errc::not_found, fmt::format("exchange '{}' does not exist", binding.exchange));
    }
    auto& routes = exchange->second.routes;
    const bool bound = std::ranges::any_of(routes, [&](const Route& route) {
        return route.queue == *queue && route.topic.pattern() == binding.key;
    });
    if (!bound) routes.push_back({wire::Topic{binding.key}, *queue});
    return {};
}

Status Broker::unbind(SessionId session, const bus::Binding& binding) {
    const auto queue = usable(session, binding.queue);
    if (!queue) return queue.error().code == Errc::denied ? fail(queue.error()) : Status{};
    const auto exchange = exchanges_.find(binding.exchange);
    if (exchange == exchanges_.end()) return {};
    std::erase_if(exchange->second.routes, [&](const Route& route) {
        return route.queue == *queue && route.topic.pattern() == binding.key;
    });
    return {};
}

void Broker::erase_queue(QueueState& queue) {
    for (auto& [name, exchange] : exchanges_) {
        std::erase_if(exchange.routes, [&](const Route& route) { return route.queue == &queue; });
    }
    for (const ConsumerId consumer : queue.consumers) around_.consumer_lost(consumer);
    for (ConsumerState& consumer : consumers_) {
        if (consumer.queue == &queue) consumer.queue = nullptr;
    }
    queues_.erase(queues_.find(queue.settings.name));
}

Status Broker::remove_queue(SessionId session, const std::string& name) {
    const auto queue = usable(session, name);
    if (!queue) return queue.error().code == Errc::denied ? fail(queue.error()) : Status{};
    erase_queue(**queue);
    return {};
}

void Broker::remove_exchange(const std::string& name) {
    exchanges_.erase(name);
}

Result<bus::QueueStats> Broker::inspect(SessionId session, const std::string& name) {
    const auto queue = usable(session, name);
    if (!queue) return fail(queue.error());
    drop_expired(**queue);
    const auto& ready = (*queue)->ready;
    bus::QueueStats stats{.depth = ready.size(), .consumers = (*queue)->consumers.size()};
    if (!ready.empty()) stats.oldest_age = around_.now() - ready.front().queued_at;
    return stats;
}

Result<std::size_t> Broker::purge(SessionId session, const std::string& name) {
    const auto queue = usable(session, name);
    if (!queue) return fail(queue.error());
    const std::size_t count = (*queue)->ready.size();
    (*queue)->ready.clear();
    return count;
}

std::vector<std::string> Broker::queue_names() const {
    std::vector<std::string> names;
    names.reserve(queues_.size());
    for (const auto& [name, queue] : queues_) names.push_back(name);
    return names;
}

} // namespace hive::simulation

#include "bus/memory/switchboard.hpp"

#include "bus/item_refs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus::memory {
namespace {

// As AMQP has it, so that what works embedded works on a broker.
constexpr std::size_t name_bytes_max = 255;
// Dead letters of dead letters: more hops than anyone configures means a circle.
constexpr int burials_max = 8;

Status check_name(std::string_view what, std::string_view name) {
    if (name.empty()) return fail(Errc::invalid, fmt::format("{} has no name", what));
    if (name.size() <= name_bytes_max) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "{} name '{}...' has {} bytes, at most {} are allowed", what,
                           name.substr(0, 40), name.size(), name_bytes_max));
}

auto missing_queue(std::string_view name) {
    return fail(Errc::not_found, fmt::format("queue '{}' does not exist; declare it first", name));
}

auto missing_exchange(std::string_view name) {
    return fail(
        Errc::not_found, fmt::format("exchange '{}' does not exist; declare it first", name));
}

auto locked_queue(std::string_view name) {
    return fail(Errc::denied, fmt::format("queue '{}' is exclusive to another connection", name));
}

} // namespace

Switchboard::Switchboard(const Clock& clock, Options options)
    : clock_{clock}, options_{options}, dispatcher_{{
                                            .serve = [this](const auto& q) { return serve(q); },
                                            .sweep = [this] { sweep(); },
                                            .sweep_every = options.sweep_every,
                                        }} {}

Status Switchboard::declare(const Exchange& exchange) {
    if (auto ok = check_name("exchange", exchange.name); !ok) return ok;
    const std::unique_lock lock{mutex_};
    const auto [found, is_new] = exchanges_.try_emplace(exchange.name);
    if (is_new) found->second.settings = exchange;
    if (found->second.settings.durable == exchange.durable) return {};
    return fail(
        Errc::conflict,
        fmt::format(
            "exchange '{}' exists with durable={}; remove it or declare it the same way",
            exchange.name, found->second.settings.durable));
}

Status Switchboard::declare(const bus::Queue& settings, std::uint64_t session) {
    if (auto ok = check_name("queue", settings.name); !ok) return ok;
    if (settings.max_length == std::size_t{0}) {
        return fail(
            Errc::invalid,
            fmt::format(
                "queue '{}': max_length is 0; leave it unset or at least 1", settings.name));
    }
    const std::unique_lock lock{mutex_};
    if (const auto found = queues_.find(settings.name); found != queues_.end()) {
        const auto& queue = found->second.queue;
        if (!queue->usable_by(session)) return locked_queue(settings.name);
        if (queue->settings() == settings) return {};
        return fail(
            Errc::conflict,
            fmt::format(
                "queue '{}' exists with other settings; remove it or declare it the same way",
                settings.name));
    }
    if (queues_.size() >= options_.queues_max) {
        return fail(
            Errc::limit, fmt::format(
                             "queue '{}' would be one more than the {} queues this hub may have",
                             settings.name, options_.queues_max));
    }
    const auto queue = std::make_shared<LiveQueue>(
        settings, settings.max_length.value_or(options_.default_max_length),
        settings.exclusive ? session : 0);
    queues_.emplace(settings.name, QueueEntry{queue, {}});
    if (settings.message_ttl) {
        std::erase_if(expiring_, [](const auto& known) { return known.expired(); });
        expiring_.push_back(queue);
        dispatcher_.start_sweeping();
    }
    version_.fetch_add(1, std::memory_order_release);
    return {};
}

Status Switchboard::bind(const Binding& binding, std::uint64_t session) {
    if (binding.key.size() > name_bytes_max) return check_name("binding key", binding.key);
    const std::unique_lock lock{mutex_};
    const auto queue = queues_.find(binding.queue);
    if (queue == queues_.end()) return missing_queue(binding.queue);
    if (!queue->second.queue->usable_by(session)) return locked_queue(binding.queue);
    const auto exchange = exchanges_.find(binding.exchange);
    if (exchange == exchanges_.end()) return missing_exchange(binding.exchange);
    auto& bindings = queue->second.bindings;
    const std::pair made{binding.exchange, binding.key};
    if (std::ranges::find(bindings, made) != bindings.end()) return {};
    exchange->second.bindings.insert(binding.key, queue->second.queue);
    bindings.push_back(made);
    version_.fetch_add(1, std::memory_order_release);
    return {};
}

Status Switchboard::unbind(const Binding& binding, std::uint64_t session) {
    const std::unique_lock lock{mutex_};
    const auto queue = queues_.find(binding.queue);
    const auto exchange = exchanges_.find(binding.exchange);
    if (queue == queues_.end() || exchange == exchanges_.end()) return {};
    if (!queue->second.queue->usable_by(session)) return locked_queue(binding.queue);
    exchange->second.bindings.erase(binding.key, queue->second.queue);
    std::erase(queue->second.bindings, std::pair{binding.exchange, binding.key});
    version_.fetch_add(1, std::memory_order_release);
    return {};
}

void Switchboard::unlink(const QueueEntry& entry) {
    for (const auto& [exchange, key] : entry.bindings) {
        exchanges_.at(exchange).bindings.erase(key, entry.queue);
    }
    version_.fetch_add(1, std::memory_order_release);
}

void Switchboard::retire(const QueuePtr& queue) {
    Aftermath after;
    queue->remove(after);
    carry_out(queue, after);
}

Status Switchboard::remove_queue(const std::string& name, std::uint64_t session) {
    QueuePtr queue;
    {
        const std::unique_lock lock{mutex_};
        const auto found = queues_.find(name);
        if (found == queues_.end()) return {};
        queue = found->second.queue;
        if (!queue->usable_by(session)) return locked_queue(name);
        unlink(found->second);
        queues_.erase(found);
    }
    retire(queue);
    return {};
}

Status Switchboard::remove_exchange(const std::string& name) {
    const std::unique_lock lock{mutex_};
    if (exchanges_.erase(name) == 0) return {};
    for (auto& [_, entry] : queues_) {
        std::erase_if(entry.bindings, [&](const auto& binding) { return binding.first == name; });
    }
    version_.fetch_add(1, std::memory_order_release);
    return {};
}

void Switchboard::remove_exclusive(std::uint64_t session) {
    std::vector<QueuePtr> gone;
    {
        const std::unique_lock lock{mutex_};
        std::erase_if(queues_, [&](const auto& named) {
            const QueueEntry& entry = named.second;
            if (!entry.queue->settings().exclusive || !entry.queue->usable_by(session))
                return false;
            unlink(entry);
            gone.push_back(entry.queue);
            return true;
        });
    }
    for (const auto& queue : gone) retire(queue);
}

void Switchboard::remove_unused(const QueuePtr& queue) {
    if (!queue->settings().auto_delete) return;
    {
        const std::unique_lock lock{mutex_};
        const auto found = queues_.find(queue->settings().name);
        // A queue of the same name may have been declared since.
        if (found == queues_.end() || found->second.queue != queue) return;
        unlink(found->second);
        queues_.erase(found);
    }
    retire(queue);
}

QueuePtr Switchboard::lookup(const std::string& name) const {
    const std::shared_lock lock{mutex_};
    const auto found = queues_.find(name);
    return found == queues_.end() ? nullptr : found->second.queue;
}

Result<QueuePtr> Switchboard::find_any(const std::string& name) const {
    if (auto queue = lookup(name)) return queue;
    return missing_queue(name);
}

Result<QueuePtr> Switchboard::find(const std::string& name, std::uint64_t session) const {
    auto queue = find_any(name);
    if (queue && !(*queue)->usable_by(session)) return locked_queue(name);
    return queue;
}

Result<std::vector<QueuePtr>> Switchboard::resolve(const Route& route) const {
    if (route.exchange.empty()) {
        if (auto queue = lookup(route.key)) return std::vector{std::move(queue)};
        return std::vector<QueuePtr>{};
    }
    const std::shared_lock lock{mutex_};
    const auto exchange = exchanges_.find(route.exchange);
    if (exchange == exchanges_.end()) return missing_exchange(route.exchange);
    return exchange->second.bindings.find(route.key);
}

void Switchboard::carry_out(const QueuePtr& queue, Aftermath& after) {
    if (after.nothing()) return;
    if (after.unused) remove_unused(queue);
    if (after.dispatch) dispatcher_.schedule(queue);
    bury(queue->settings().dead_letter, after);
    for (const auto& bell : after.bells) bell->ring();
}

void Switchboard::bury(std::string dead_letter, Aftermath& after) {
    for (int hop = 0; !dead_letter.empty(); ++hop) {
        const std::size_t evicted = after.evicted_items.size() + after.evicted_letters.size();
        if (evicted == 0) return;
        const QueuePtr target = hop < burials_max ? lookup(dead_letter) : nullptr;
        if (!target) {
            lost_ += evicted;
            return;
        }
        Aftermath next;
        const TimePoint time = now();
        std::size_t taken = target->push(refs_of(after.evicted_items), time, next);
        for (auto& letter : after.evicted_letters) {
            if (target->reserve(1) == 0) continue;
            target->push_reserved(std::move(letter), time, next);
            ++taken;
        }
        lost_ += evicted - taken;
        if (next.dispatch) dispatcher_.schedule(target);
        std::ranges::move(next.bells, std::back_inserter(after.bells));
        after.evicted_items = std::move(next.evicted_items);
        after.evicted_letters = std::move(next.evicted_letters);
        dead_letter = target->settings().dead_letter;
    }
}

bool Switchboard::serve(const QueuePtr& queue) {
    // Enough to be cheap, few enough that no queue waits long for its turn.
    constexpr int turn = 32;
    for (int i = 0; i < turn; ++i) {
        Aftermath after;
        auto job = queue->next_job(now(), after);
        carry_out(queue, after);
        if (!job) return false;
        deliver(*job);
    }
    return true;
}

void Switchboard::deliver(const LiveQueue::Job& job) {
    const std::lock_guard running{job.consumer->running};
    auto settle = [board = weak_from_this(), consumer = job.consumer, place = job.place](bool ack) {
        Aftermath after;
        consumer->queue->settle(*consumer, place, ack, after);
        if (const auto alive = board.lock()) alive->carry_out(consumer->queue, after);
    };
    ControlDelivery delivery{*job.waiting.letter, job.waiting.redelivered, std::move(settle)};
    // Ended since the letter was taken for it: the delivery returns itself.
    if (job.consumer->active) job.consumer->handler(std::move(delivery));
}

void Switchboard::sweep() {
    std::vector<QueuePtr> queues;
    {
        const std::shared_lock lock{mutex_};
        for (const auto& known : expiring_) {
            if (auto queue = known.lock()) queues.push_back(std::move(queue));
        }
    }
    for (const auto& queue : queues) {
        Aftermath after;
        queue->expire(now(), after);
        carry_out(queue, after);
    }
}

} // namespace hive::bus::memory

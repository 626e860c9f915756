#pragma once

#include "bus/layout.hpp"
#include "bus/memory/dispatcher.hpp"
#include "bus/memory/live_queue.hpp"
#include "bus/memory/options.hpp"
#include "bus/memory/topic_trie.hpp"
#include "bus/work_bus.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hive::bus::memory {

// The broker inside a hub: every exchange, queue and binding by name. Safe from any thread.
class Switchboard : public std::enable_shared_from_this<Switchboard> {
public:
    Switchboard(const Clock& clock, Options options);

    TimePoint now() const { return clock_.now(); }
    std::uint64_t new_session() { return ++sessions_; }
    void stop() { dispatcher_.stop(); }

    Status declare(const Exchange& exchange);
    Status declare(const bus::Queue& settings, std::uint64_t session);
    Status bind(const Binding& binding, std::uint64_t session);
    Status unbind(const Binding& binding, std::uint64_t session);
    Status remove_queue(const std::string& name, std::uint64_t session);
    Status remove_exchange(const std::string& name);
    void remove_exclusive(std::uint64_t session);

    // Errc::not_found, or Errc::denied when it is exclusive to another session.
    Result<QueuePtr> find(const std::string& name, std::uint64_t session) const;
    // Whoever owns it: anyone may fill an exclusive queue.
    Result<QueuePtr> find_any(const std::string& name) const;
    // The queues that the route leads to, perhaps none; Errc::not_found for an unknown exchange.
    Result<std::vector<QueuePtr>> resolve(const Route& route) const;
    // Changes whenever the answer of resolve() may change.
    std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

    // With no lock held.
    void carry_out(const QueuePtr& queue, Aftermath& after);
    // Messages that a dead-letter queue was set up for but could not take.
    std::uint64_t lost() const noexcept { return lost_; }

private:
    struct QueueEntry {
        QueuePtr queue;
        std::vector<std::pair<std::string, std::string>> bindings; // exchange and key
    };
    struct ExchangeEntry {
        Exchange settings;
        TopicTrie bindings;
    };

    QueuePtr lookup(const std::string& name) const;
    void unlink(const QueueEntry& entry);
    void remove_unused(const QueuePtr& queue);
    void retire(const QueuePtr& queue);
    void bury(std::string dead_letter, Aftermath& after);
    bool serve(const QueuePtr& queue);
    void deliver(const LiveQueue::Job& job);
    void sweep();

    const Clock& clock_;
    const Options options_;
    std::atomic<std::uint64_t> sessions_{0};
    std::atomic<std::uint64_t> version_{1};
    std::atomic<std::uint64_t> lost_{0};

    mutable std::shared_mutex mutex_;
    std::unordered_map<std::string, QueueEntry> queues_;
    std::unordered_map<std::string, ExchangeEntry> exchanges_;
    std::vector<std::weak_ptr<LiveQueue>> expiring_; // queues with a message TTL

    Dispatcher dispatcher_; // last: its thread uses everything above
};

} // namespace hive::bus::memory

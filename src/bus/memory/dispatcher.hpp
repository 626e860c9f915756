#pragma once

#include "bus/memory/topic_trie.hpp"
#include "kernel/clock.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace hive::bus::memory {

// One thread that serves every control queue in turn: thousands of consumers need no thread each.
class Dispatcher {
public:
    struct Duties {
        std::function<bool(const QueuePtr&)> serve; // a few letters; whether there are more
        std::function<void()> sweep;                // looks for expired messages
        Duration sweep_every;
    };
    explicit Dispatcher(Duties duties);
    ~Dispatcher() { stop(); }
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    void schedule(const QueuePtr& queue);
    void start_sweeping(); // from now on; a hub without expiring queues never wakes for nothing
    void stop();           // once this has returned no handler runs; repeating it is harmless

private:
    void run();
    void sweep_when_due();

    const Duties duties_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<QueuePtr> ready_; // each queue at most once
    bool sweeping_ = false;
    bool stopping_ = false;
    std::chrono::steady_clock::time_point next_sweep_; // used by the thread only
    std::thread thread_;
};

} // namespace hive::bus::memory

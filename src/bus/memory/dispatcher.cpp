#include "bus/memory/dispatcher.hpp"

#include <utility>

namespace hive::bus::memory {

Dispatcher::Dispatcher(Duties duties) : duties_{std::move(duties)}, thread_{[this] { run(); }} {}

void Dispatcher::schedule(const QueuePtr& queue) {
    {
        const std::lock_guard lock{mutex_};
        ready_.push_back(queue);
    }
    changed_.notify_one();
}

void Dispatcher::start_sweeping() {
    {
        const std::lock_guard lock{mutex_};
        if (std::exchange(sweeping_, true)) return;
    }
    changed_.notify_one();
}

void Dispatcher::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Dispatcher::run() {
    std::unique_lock lock{mutex_};
    const auto has_work = [this] { return stopping_ || !ready_.empty(); };
    for (;;) {
        if (sweeping_) {
            changed_.wait_until(lock, next_sweep_, has_work);
        } else {
            changed_.wait(lock, [&] { return sweeping_ || has_work(); });
        }
        if (stopping_) return;
        QueuePtr queue;
        if (!ready_.empty()) {
            queue = std::move(ready_.front());
            ready_.pop_front();
        }
        const bool sweeping = sweeping_;
        lock.unlock();
        const bool more = queue && duties_.serve(queue);
        if (sweeping) sweep_when_due();
        lock.lock();
        if (more) ready_.push_back(std::move(queue));
    }
}

void Dispatcher::sweep_when_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_sweep_) return;
    duties_.sweep();
    next_sweep_ = now + duties_.sweep_every;
}

} // namespace hive::bus::memory

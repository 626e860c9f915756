#pragma once

#include "kernel/clock.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace hive::store {

// A thread that runs one function to its end and can be waited for with a deadline.
class StoreThread {
public:
    explicit StoreThread(std::function<void()> body);
    StoreThread(const StoreThread&) = delete;
    StoreThread& operator=(const StoreThread&) = delete;
    ~StoreThread(); // waits for the end

    bool wait_until(TimePoint deadline); // false: still running

    static bool is_current(); // whether the caller runs on a thread of a store

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::thread thread_;
};

} // namespace hive::store

#pragma once

#include <atomic>

namespace hive::bus::rabbitmq {

// Ends another thread's poll(). Signals before the next acknowledge() are one.
class Wakeup {
public:
    Wakeup();
    ~Wakeup();
    Wakeup(const Wakeup&) = delete;
    Wakeup& operator=(const Wakeup&) = delete;

    int fd() const noexcept { return fd_; }
    void signal() noexcept;
    void acknowledge() noexcept; // call before looking at what the signal was about

private:
    int fd_;
    std::atomic<bool> signalled_{false};
};

} // namespace hive::bus::rabbitmq

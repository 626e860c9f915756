#pragma once

#include "bus/rabbitmq/wakeup.hpp"

#include <atomic>
#include <mutex>

namespace hive::bus::rabbitmq {

// Frees a thread that is stuck in the AMQP library, which has no deadline of its own for writes:
// shutting its socket down makes every call on it return. Once fired it stays fired.
class Interrupter {
public:
    // The socket is in use until release(). False when already fired: do not use it.
    bool guard(int socket);
    void release();
    void fire();
    bool fired() const noexcept { return fired_; }
    int fd() const noexcept { return wakeup_.fd(); } // readable once fired

private:
    Wakeup wakeup_;
    std::atomic<bool> fired_{false};
    std::mutex mutex_; // a socket number may be reused by others as soon as it is closed
    int socket_ = -1;
};

} // namespace hive::bus::rabbitmq

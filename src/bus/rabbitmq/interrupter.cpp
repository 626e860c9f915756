#include "bus/rabbitmq/interrupter.hpp"

#include <sys/socket.h>

namespace hive::bus::rabbitmq {

bool Interrupter::guard(int socket) {
    const std::lock_guard lock{mutex_};
    if (fired_) return false;
    socket_ = socket;
    return true;
}

void Interrupter::release() {
    const std::lock_guard lock{mutex_};
    socket_ = -1;
}

void Interrupter::fire() {
    const std::lock_guard lock{mutex_};
    fired_ = true;
    wakeup_.signal();
    if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

} // namespace hive::bus::rabbitmq

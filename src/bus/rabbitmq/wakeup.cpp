#include "bus/rabbitmq/wakeup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace hive::bus::rabbitmq {

Wakeup::Wakeup() : fd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Wakeup::~Wakeup() {
    ::close(fd_);
}

void Wakeup::signal() noexcept {
    if (signalled_.exchange(true)) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fd_, &one, sizeof one);
    assert(written == sizeof one);
}

void Wakeup::acknowledge() noexcept {
    if (!signalled_.load()) return; // what is not written yet will wake the next wait
    std::uint64_t count = 0;
    if (::read(fd_, &count, sizeof count) > 0) signalled_.store(false);
}

} // namespace hive::bus::rabbitmq

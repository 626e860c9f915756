#include "call/direct_socket.hpp"

#include "call/ready_set.hpp"

#include <boost/asio/error.hpp>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace hive::call {
namespace {

// The functions of the C library are points where a thread may be cancelled, which costs each of
// them two atomic operations; nobody does that here.
ssize_t receive(int socket, asio::mutable_buffer into) noexcept {
    return ::syscall(
        SYS_recvfrom, socket, into.data(), into.size(), MSG_DONTWAIT, nullptr, nullptr);
}
ssize_t send(int socket, asio::const_buffer from) noexcept {
    constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    return ::syscall(SYS_sendto, socket, from.data(), from.size(), flags, nullptr, 0);
}

IoCount result_of(ssize_t count) noexcept {
    if (count >= 0) return {error_code{}, static_cast<std::size_t>(count)};
    return {error_code{errno, boost::system::system_category()}, 0};
}

} // namespace

DirectSocket::~DirectSocket() {
    set_.remove(*this);
    ::close(socket_);
}

error_code DirectSocket::open() {
    return set_.add(*this);
}

IoCount DirectSocket::read(asio::mutable_buffer into) noexcept {
    const ssize_t count = receive(socket_, into);
    // A short read has taken all there was, and what comes later is told of. The end of the stream
    // may have been told of before it was reached, though.
    drained_ = !hung_up_ && count < static_cast<ssize_t>(into.size());
    if (count == 0) return {asio::error::eof, 0};
    return result_of(count);
}

IoCount DirectSocket::write(asio::const_buffer from) noexcept {
    return result_of(send(socket_, from));
}

error_code DirectSocket::await_room() noexcept {
    if (std::exchange(awaits_room_, true)) return {};
    return set_.change(*this);
}

void DirectSocket::look_again() {
    set_.look_again(*this);
}

Pulse DirectSocket::pulse() noexcept {
    char byte = 0;
    const auto got = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got > 0) return Pulse::talking;
    if (got == 0 || errno != EAGAIN) return Pulse::gone;
    drained_ = !hung_up_;
    return Pulse::quiet;
}

void DirectSocket::on_event(std::uint32_t events) {
    hung_up_ = hung_up_ || (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    drained_ = false;
    if (user_ != nullptr) user_->on_ready();
}

} // namespace hive::call

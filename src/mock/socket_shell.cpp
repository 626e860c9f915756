#include "mock/socket_shell.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace hive::mock {
namespace {

constexpr int backlog = 4'096;

Result<Socket> open_on(const addrinfo& address, Sharing sharing) {
    Socket socket{::socket(
        address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
        address.ai_protocol)};
    const int on = 1;
    if (!socket.open()) return fail(Errc::unavailable, system_error_text(errno));
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (sharing == Sharing::with_other_threads &&
        ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return fail(Errc::unavailable, system_error_text(errno));
    if (::bind(socket.fd(), address.ai_addr, address.ai_addrlen) != 0 ||
        ::listen(socket.fd(), backlog) != 0)
        return fail(Errc::unavailable, system_error_text(errno));
    return socket;
}

} // namespace

void Socket::close() noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

void Socket::reset_on_close() noexcept {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void Socket::send_at_once() noexcept {
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void Socket::end_sending() noexcept {
    ::shutdown(fd_, SHUT_WR);
}

std::ptrdiff_t Socket::receive(std::span<char> into) const noexcept {
    return ::recv(fd_, into.data(), into.size(), 0);
}

std::ptrdiff_t Socket::send(std::string_view bytes) const noexcept {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

Socket Socket::accept() const noexcept {
    return Socket{::accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
}

std::string system_error_text(int error) {
    return std::generic_category().message(error);
}

Result<Socket> listen_on(const std::string& host, std::uint16_t port, Sharing sharing) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* list = nullptr;
    const int found = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
    if (found != 0) {
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot listen on '{}': {}; give an address of this machine, like 127.0.0.1", host,
                ::gai_strerror(found)));
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{list, &::freeaddrinfo};
    auto opened = open_on(*list, sharing);
    if (opened) return opened;
    return fail(
        Errc::unavailable,
        fmt::format(
            "cannot listen on {}:{}: {}; choose another port, or 0 for any free one", host, port,
            opened.error().detail));
}

std::uint16_t port_of(const Socket& socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
    return address.ss_family == AF_INET6
               ? ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port)
               : ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

} // namespace hive::mock

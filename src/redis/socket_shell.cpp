#include "redis/socket_shell.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace hive::redis {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int wrong = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (wrong != 0) {
        return fail(
            Errc::unavailable, fmt::format("cannot find {}: {}", host, ::gai_strerror(wrong)));
    }
    return Addresses{found, ::freeaddrinfo};
}

Error broken(std::string_view what, int error) {
    return {Errc::unavailable, fmt::format("{}: {}", what, std::strerror(error))};
}

} // namespace

Socket::Socket(Socket&& other) noexcept
    : fd_{std::exchange(other.fd_, -1)}, tls_{std::move(other.tls_)} {}

Socket& Socket::operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(tls_, other.tls_);
    return *this;
}

Socket::~Socket() {
    tls_.reset();
    if (fd_ >= 0) ::close(fd_);
}

Status Socket::wait(short events, TimePoint deadline) const {
    for (;;) {
        const Duration left = deadline - SystemClock{}.now();
        pollfd entry{.fd = fd_, .events = events, .revents = 0};
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<long>(wait, 0, 60'000)));
        if (ready > 0) return {};
        if (ready < 0 && errno != EINTR) return fail(broken("waiting failed", errno));
        if (ready == 0 && SystemClock{}.now() >= deadline) {
            return fail(Errc::timeout, "no answer in time");
        }
    }
}

Result<Socket> Socket::connect(const std::string& host, std::uint16_t port, Duration within) {
    const TimePoint deadline = SystemClock{}.now() + within;
    const auto addresses = resolve(host, port);
    if (!addresses) return fail(addresses.error());
    Error last{Errc::unavailable, "no address"};
    for (const addrinfo* at = addresses->get(); at != nullptr; at = at->ai_next) {
        Socket socket{::socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
        if (socket.fd_ < 0) return fail(broken("no socket", errno));
        if (::connect(socket.fd_, at->ai_addr, at->ai_addrlen) != 0 && errno != EINPROGRESS) {
            last = broken("cannot connect", errno);
            continue;
        }
        if (auto ok = socket.wait(POLLOUT, deadline); !ok) {
            last = ok.error();
            continue;
        }
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(socket.fd_, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error == 0) {
            const int on = 1;
            ::setsockopt(socket.fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return socket;
        }
        last = broken("cannot connect", error);
    }
    return fail(last);
}

Status Socket::send(std::string_view bytes, TimePoint deadline) {
    if (tls_) return send_tls(bytes, deadline);
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (auto ok = wait(POLLOUT, deadline); !ok) return ok;
        } else if (errno != EINTR) {
            return fail(broken("sending failed", errno));
        }
    }
    return {};
}

Result<std::size_t> Socket::receive(std::span<char> into, TimePoint deadline) {
    if (tls_) return receive_tls(into, deadline);
    for (;;) {
        const ssize_t got = ::recv(fd_, into.data(), into.size(), 0);
        if (got > 0) return static_cast<std::size_t>(got);
        if (got == 0) return fail(Errc::unavailable, "the server closed the connection");
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (auto ok = wait(POLLIN, deadline); !ok) return fail(ok.error());
        } else if (errno != EINTR) {
            return fail(broken("receiving failed", errno));
        }
    }
}

} // namespace hive::redis

#include "bus/rabbitmq/dial.hpp"

#include "bus/rabbitmq/steady.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

namespace hive::bus::rabbitmq {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const Endpoint& endpoint) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const auto port = std::to_string(endpoint.port);
    const int error = ::getaddrinfo(endpoint.host.c_str(), port.c_str(), &hints, &found);
    if (error != 0) {
        return fail(
            Errc::unavailable,
            fmt::format(
                "the host name '{}' of the broker URL cannot be resolved ({}); check its spelling "
                "and this machine's DNS",
                endpoint.host, ::gai_strerror(error)));
    }
    return Addresses{found, &::freeaddrinfo};
}

// 0, or the errno of the failure; ECANCELED when interrupted.
int await_connected(int fd, int cancel_fd, TimePoint deadline) {
    for (;;) {
        const auto left = left_until(deadline);
        if (left == Duration{0}) return ETIMEDOUT;
        std::array<pollfd, 2> watched{{{fd, POLLOUT, 0}, {cancel_fd, POLLIN, 0}}};
        const int ready = ::poll(watched.data(), watched.size(), poll_timeout(left));
        if (ready < 0 && errno != EINTR) return errno;
        if (ready <= 0) continue;
        if (watched[1].revents != 0) return ECANCELED;
        int error = 0;
        socklen_t size = sizeof error;
        if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
        return error;
    }
}

Error dial_error(int error, const Endpoint& endpoint) {
    const auto where = endpoint.where();
    switch (error) {
    case ECONNREFUSED:
        return {
            Errc::unavailable,
            fmt::format(
                "nothing listens at {}: the connection was refused; start RabbitMQ there or "
                "correct host and port of the broker URL",
                where)};
    case ETIMEDOUT:
        return {
            Errc::timeout,
            fmt::format(
                "no answer from {} within {} ms; check the address and any firewall in between",
                where, endpoint.connect_timeout.count())};
    case ECANCELED: return {Errc::closed, fmt::format("gave up connecting to {}: closed", where)};
    default:
        return {
            Errc::unavailable, fmt::format(
                                   "could not connect to {}: {}; check the address and the network",
                                   where, std::generic_category().message(error))};
    }
}

} // namespace

Result<int> dial(const Endpoint& endpoint, const Interrupter& interrupter) {
    const auto addresses = resolve(endpoint);
    if (!addresses) return fail(addresses.error());
    const auto deadline = deadline_after(bounded(endpoint.connect_timeout));
    int error = EHOSTUNREACH;
    for (const addrinfo* at = addresses->get(); at != nullptr; at = at->ai_next) {
        const int fd = ::socket(
            at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
        if (fd < 0) {
            error = errno;
            continue;
        }
        const int one = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
        error = ::connect(fd, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
        if (error == EINPROGRESS) error = await_connected(fd, interrupter.fd(), deadline);
        if (error == 0) return fd;
        ::close(fd);
        if (error == ECANCELED) break;
    }
    return fail(dial_error(error, endpoint));
}

} // namespace hive::bus::rabbitmq

#include "cli/file_descriptor.hpp"
#include "cli/probes.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace hive::cli {
namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Check refused(int error, const std::string& where, std::uint16_t port) {
    Check check{.name = "port", .health = Health::missing};
    if (error == EADDRINUSE) {
        check.message = fmt::format("{} is in use by another program", where);
        check.remedy = fmt::format(
            "stop that program ('ss -ltnp sport = :{}' names it) or choose another with --port N",
            port);
    } else if (error == EACCES) {
        check.message = fmt::format("{} may only be used by an administrator", where);
        check.remedy = "choose a port above 1023 with --port N";
    } else if (error == EADDRNOTAVAIL) {
        check.message = fmt::format("{} is not an address of this machine", where);
        check.remedy = "choose one with --listen ADDRESS; 0.0.0.0 is every interface";
    } else {
        check.message = fmt::format("{} cannot be listened on: {}", where, std::strerror(error));
        check.remedy = "choose another with --listen ADDRESS and --port N";
    }
    return check;
}

int try_to_listen(const addrinfo& address) {
    const FileDescriptor socket{
        ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, address.ai_protocol)};
    if (!socket) return errno;
    // As the server does: a port whose last connections linger is free.
    const int on = 1;
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0) return errno;
    if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0) return errno;
    return ::listen(socket.get(), 1) == 0 ? 0 : errno;
}

} // namespace

Check check_port(const std::string& listen, std::uint16_t port) {
    const std::string where = format_address({listen, port});
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    // Numbers only: an address to listen on is one of ours, and a name server may take its time.
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST;
    addrinfo* found = nullptr;
    const std::string host = listen == "localhost" ? "127.0.0.1" : listen;
    const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    const AddressList addresses{found, &::freeaddrinfo};
    if (error != 0) {
        return {
            .name = "port",
            .health = Health::bad_input,
            .message = fmt::format("'{}' is not an address to listen on", listen),
            .remedy = "write an IP address of this machine, e.g. --listen 127.0.0.1"};
    }
    if (const int why = try_to_listen(*addresses); why != 0) return refused(why, where, port);
    return {.name = "port", .message = fmt::format("{} is free", where)};
}

} // namespace hive::cli

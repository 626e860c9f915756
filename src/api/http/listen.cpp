#include "api/http/listen.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace hive::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::string_view unix_prefix = "unix:";

Result<Endpoint> unix_endpoint(std::string_view path) {
    // 108 bytes with the final zero, whatever the operating system calls the error.
    if (path.empty() || path.size() > 107 || path.find('\0') != path.npos) {
        return fail(Errc::invalid, "the path of a unix socket has 1 to 107 bytes");
    }
    return Endpoint{asio::local::stream_protocol::endpoint{std::string{path}}};
}

tcp::endpoint tcp_of(const Endpoint& endpoint) {
    tcp::endpoint tcp;
    std::memcpy(tcp.data(), endpoint.data(), endpoint.size());
    tcp.resize(endpoint.size());
    return tcp;
}

} // namespace

Result<Endpoint> parse_address(const std::string& address) {
    if (address.starts_with(unix_prefix)) {
        return unix_endpoint(std::string_view{address}.substr(unix_prefix.size()));
    }
    const std::size_t colon = address.rfind(':');
    std::string host = colon == address.npos ? "" : address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code bad;
    const auto ip = asio::ip::make_address(host, bad);
    std::uint16_t port = 0;
    const std::string text = colon == address.npos ? "" : address.substr(colon + 1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (bad || text.empty() || error != std::errc{} || end != text.data() + text.size()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot listen at '{}': write an IP address and a port (127.0.0.1:8080, [::1]:8080)"
                " or unix:/path",
                address));
    }
    return Endpoint{tcp::endpoint{ip, port}};
}

bool is_unix(const Endpoint& endpoint) {
    return endpoint.protocol().family() == AF_UNIX;
}

bool is_loopback(const Endpoint& endpoint) {
    if (is_unix(endpoint)) return true;
    const auto address = tcp_of(endpoint).address();
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
    }
    return address.is_loopback();
}

std::string to_text(const Endpoint& endpoint) {
    if (is_unix(endpoint)) {
        const auto* name = reinterpret_cast<const char*>(endpoint.data()) + sizeof(sa_family_t);
        const std::size_t most = endpoint.size() - sizeof(sa_family_t);
        return std::string{unix_prefix} + std::string{name, strnlen(name, most)};
    }
    const tcp::endpoint tcp = tcp_of(endpoint);
    const bool v6 = tcp.address().is_v6();
    return fmt::format(
        "{}{}{}:{}", v6 ? "[" : "", tcp.address().to_string(), v6 ? "]" : "", tcp.port());
}

Status check_exposure(const ListenAt& at, const Endpoint& endpoint, bool allow_exposed_plain) {
    if (at.tls || allow_exposed_plain || is_loopback(endpoint)) return {};
    return fail(
        Errc::denied,
        fmt::format(
            "refusing to listen at {} without TLS: others could read keys on the way. Give a "
            "certificate, listen on 127.0.0.1, or allow plain text explicitly",
            at.address));
}

} // namespace hive::http

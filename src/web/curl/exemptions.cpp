#include "web/curl/exemptions.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace hive::web::curl {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

Bytes mapped(const in_addr& address) {
    Bytes bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    std::memcpy(&bytes[12], &address, 4);
    return bytes;
}

std::optional<Bytes> bytes_of(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        return mapped(v4.sin_addr);
    }
    if (address.sa_family != AF_INET6) return std::nullopt;
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    Bytes bytes{};
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return bytes;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

// Letters, digits, `-` and dots, and not only digits and dots: that is an address gone wrong.
bool is_host(std::string_view text) {
    const auto letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
    const auto fits = [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    };
    return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, fits) &&
           std::ranges::any_of(text, letter) && text.front() != '.' && text.front() != '-';
}

} // namespace

Result<Exemptions::Network> Exemptions::parse_network(std::string_view text) {
    const auto refused = [&] {
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' is neither a network such as 10.1.0.0/16 nor a host", text.substr(0, 100)));
    };
    const std::size_t slash = text.find('/');
    const std::string address{text.substr(0, slash)};
    Network network;
    unsigned most = 128;
    in_addr v4{};
    if (::inet_pton(AF_INET, address.c_str(), &v4) == 1) {
        network.address = mapped(v4);
        most = 32;
    } else if (::inet_pton(AF_INET6, address.c_str(), network.address.data()) != 1) {
        return refused();
    }
    unsigned bits = most;
    if (slash != text.npos) {
        const std::string_view number = text.substr(slash + 1);
        const auto [end, error] = std::from_chars(number.begin(), number.end(), bits);
        if (error != std::errc{} || end != number.end() || bits > most) return refused();
    }
    network.bits = bits + (128 - most);
    return network;
}

Result<Exemptions> Exemptions::parse(const std::vector<std::string>& texts) {
    Exemptions all;
    for (const std::string& text : texts) {
        if (is_host(text)) {
            all.hosts_.push_back(lowered(text));
            continue;
        }
        auto network = parse_network(text);
        if (!network) return fail(network.error());
        all.networks_.push_back(*network);
    }
    return all;
}

bool Exemptions::within(const Network& network, const Bytes& address) noexcept {
    for (unsigned bit = 0; bit < network.bits; bit += 8) {
        const unsigned left = std::min(8U, network.bits - bit);
        const auto mask = static_cast<std::uint8_t>(0xffU << (8 - left));
        const std::size_t at = bit / 8;
        if ((address[at] & mask) != (network.address[at] & mask)) return false;
    }
    return true;
}

bool Exemptions::has(const sockaddr& address) const noexcept {
    const auto bytes = bytes_of(address);
    return bytes && std::ranges::any_of(
                        networks_, [&](const Network& network) { return within(network, *bytes); });
}

bool Exemptions::has_host(std::string_view host) const {
    return std::ranges::find(hosts_, lowered(host)) != hosts_.end();
}

} // namespace hive::web::curl

#include "web/curl/public_address.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace hive::web::curl {
namespace {

struct Range4 {
    std::uint32_t network;
    unsigned bits;
};
constexpr std::uint32_t v4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return a << 24U | b << 16U | c << 8U | d;
}

// IANA's special-purpose registry (RFC 6890), all that is not globally reachable, and multicast.
constexpr std::array closed4{
    Range4{v4(0, 0, 0, 0), 8},      Range4{v4(10, 0, 0, 0), 8},     Range4{v4(100, 64, 0, 0), 10},
    Range4{v4(127, 0, 0, 0), 8},    Range4{v4(169, 254, 0, 0), 16}, Range4{v4(172, 16, 0, 0), 12},
    Range4{v4(192, 0, 0, 0), 24},   Range4{v4(192, 0, 2, 0), 24},   Range4{v4(192, 88, 99, 0), 24},
    Range4{v4(192, 168, 0, 0), 16}, Range4{v4(198, 18, 0, 0), 15},  Range4{v4(198, 51, 100, 0), 24},
    Range4{v4(203, 0, 113, 0), 24}, Range4{v4(224, 0, 0, 0), 3},
};

bool is_public4(std::uint32_t address) noexcept {
    return std::ranges::none_of(closed4, [&](const Range4& range) {
        const unsigned shift = 32 - range.bits;
        return address >> shift == range.network >> shift;
    });
}

using Bytes6 = std::array<std::uint8_t, 16>;

std::uint32_t v4_at(const Bytes6& bytes, std::size_t at) noexcept {
    return v4(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
}

bool is_public6(const Bytes6& bytes) noexcept {
    const std::uint32_t first = v4_at(bytes, 0);
    const std::uint32_t second = v4_at(bytes, 4);
    // 64:ff9b::/96, the well-known prefix of NAT64: the last four bytes are where it really goes.
    if (first == 0x0064ff9b && second == 0 && v4_at(bytes, 8) == 0) {
        return is_public4(v4_at(bytes, 12));
    }
    // 2002::/16, 6to4: the next four bytes are.
    if (first >> 16U == 0x2002) return is_public4(v4_at(bytes, 2));
    // Global unicast is 2000::/3 and nothing else; all of ::ffff:a.b.c.d, fc00::/7, fe80::/10 and
    // ff00::/8 lies outside. Within: 2001::/23 (Teredo, benchmarks), documentation.
    const bool global = first >> 29U == 1;
    const bool protocols = first >> 9U == 0x20010000U >> 9U;
    const bool documentation = first == 0x20010db8 || first >> 12U == 0x3fff0000U >> 12U;
    return global && !protocols && !documentation;
}

} // namespace

bool is_public(const sockaddr& address) noexcept {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4_address{};
        std::memcpy(&v4_address, &address, sizeof v4_address);
        return is_public4(ntohl(v4_address.sin_addr.s_addr));
    }
    if (address.sa_family != AF_INET6) return false;
    sockaddr_in6 v6_address{};
    std::memcpy(&v6_address, &address, sizeof v6_address);
    if (IN6_IS_ADDR_V4MAPPED(&v6_address.sin6_addr)) {
        std::uint32_t mapped = 0;
        std::memcpy(&mapped, &v6_address.sin6_addr.s6_addr[12], sizeof mapped);
        return is_public4(ntohl(mapped));
    }
    Bytes6 bytes{};
    std::memcpy(bytes.data(), &v6_address.sin6_addr, bytes.size());
    return is_public6(bytes);
}

} // namespace hive::web::curl

#pragma once

#include "kernel/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace hive::web::curl {

// Places that may be reached although they are not on the public internet: networks by address
// (`10.1.0.0/16`, `::1`, `fd00::/8`) whatever name leads there, and hosts by name whatever their
// address is.
class Exemptions {
public:
    // Errc::invalid, naming the text that is neither.
    static Result<Exemptions> parse(const std::vector<std::string>& texts);

    bool has(const sockaddr& address) const noexcept;
    bool has_host(std::string_view host) const; // as in a URL: an IPv6 address in brackets

private:
    using Bytes = std::array<std::uint8_t, 16>; // IPv4 as ::ffff:a.b.c.d
    struct Network {
        Bytes address{};
        unsigned bits = 128;
    };
    static Result<Network> parse_network(std::string_view text);
    static bool within(const Network& network, const Bytes& address) noexcept;

    std::vector<Network> networks_;
    std::vector<std::string> hosts_;
};

} // namespace hive::web::curl

#pragma once

#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::call {

enum class Scheme : std::uint8_t { http, https, tcp, tcps };

std::string_view name_of(Scheme scheme) noexcept;
constexpr bool is_http(Scheme scheme) noexcept {
    return scheme == Scheme::http || scheme == Scheme::https;
}
constexpr bool is_secure(Scheme scheme) noexcept {
    return scheme == Scheme::https || scheme == Scheme::tcps;
}

// An absolute URL of a system under test. The fragment is dropped; a user in it is refused, since
// it would be lost silently.
struct Url {
    Scheme scheme = Scheme::http;
    std::string host{}; // lower case; an IPv6 address without its brackets
    std::uint16_t port = 80;
    std::string path = "/"; // with the query; always begins with a slash

    static Result<Url> parse(std::string_view text);
    bool operator==(const Url&) const = default;
};

// host:port as the Host header says it: no port where it is the scheme's own.
std::string authority_of(const Url& url);

} // namespace hive::call

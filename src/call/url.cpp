#include "call/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace hive::call {
namespace {

struct Known {
    std::string_view prefix;
    Scheme scheme;
    std::uint16_t port; // 0: has to be said
};
constexpr std::array<Known, 4> known{
    {{"http://", Scheme::http, 80},
     {"https://", Scheme::https, 443},
     {"tcp://", Scheme::tcp, 0},
     {"tcps://", Scheme::tcps, 0}}};

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           std::ranges::equal(text.substr(0, prefix.size()), prefix, {}, lower);
}

bool is_host_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_';
}
bool is_address_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
}

std::optional<std::uint16_t> port_of(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc{} || end != text.data() + text.size() || port == 0) return {};
    return port;
}

auto invalid(std::string_view text, std::string_view why) {
    return fail(Errc::invalid, fmt::format("the URL '{}' {}", text.substr(0, 200), why));
}

// Splits host:port or [address]:port; the port's text is empty when it is not said.
bool split_authority(std::string_view authority, std::string_view& host, std::string_view& port) {
    std::size_t end = authority.find(':');
    host = authority.substr(0, end);
    if (authority.starts_with('[')) {
        const std::size_t bracket = authority.find(']');
        if (bracket == authority.npos) return false;
        host = authority.substr(1, bracket - 1);
        end = bracket + 1 == authority.size() ? authority.npos : bracket + 1;
        if (end != authority.npos && authority[end] != ':') return false;
    }
    if (end != authority.npos) {
        port = authority.substr(end + 1);
        if (port.empty()) return false;
    }
    return true;
}

} // namespace

std::string_view name_of(Scheme scheme) noexcept {
    switch (scheme) {
    case Scheme::http: return "http";
    case Scheme::https: return "https";
    case Scheme::tcp: return "tcp";
    case Scheme::tcps: return "tcps";
    }
    std::abort();
}

Result<Url> Url::parse(std::string_view text) {
    const auto* found = std::ranges::find_if(
        known, [&](const Known& each) { return begins_with(text, each.prefix); });
    if (found == known.end())
        return invalid(text, "must begin with http://, https://, tcp:// or tcps://");
    std::string_view rest = text.substr(found->prefix.size());
    rest = rest.substr(0, rest.find('#'));
    const std::size_t path_at = std::min(rest.find_first_of("/?"), rest.size());
    const std::string_view authority = rest.substr(0, path_at);
    const std::string_view path = rest.substr(path_at);
    if (authority.find('@') != authority.npos)
        return invalid(text, "names a user; say it in an Authorization header");
    std::string_view host;
    std::string_view port_text;
    if (!split_authority(authority, host, port_text))
        return invalid(text, "has no host[:port] that can be read");
    Url url{.scheme = found->scheme, .host = std::string{host}, .port = found->port};
    std::ranges::transform(url.host, url.host.begin(), lower);
    const bool bracketed = authority.starts_with('[');
    if (url.host.empty() || url.host.size() > 253 ||
        !std::ranges::all_of(url.host, bracketed ? is_address_byte : is_host_byte))
        return invalid(text, "has no valid host");
    if (!port_text.empty()) {
        const auto port = port_of(port_text);
        if (!port) return invalid(text, "has a port that is not between 1 and 65535");
        url.port = *port;
    }
    if (url.port == 0) return invalid(text, "needs a port");
    const bool visible = std::ranges::all_of(path, [](char c) { return c > ' ' && c != '\x7f'; });
    if (!visible) return invalid(text, "has a space, control or non-ASCII byte in its path");
    url.path = path.starts_with('/') ? std::string{path} : "/" + std::string{path};
    return url;
}

std::string authority_of(const Url& url) {
    const bool address = url.host.find(':') != url.host.npos;
    std::string text = address ? "[" + url.host + "]" : url.host;
    const bool usual = (url.scheme == Scheme::http && url.port == 80) ||
                       (url.scheme == Scheme::https && url.port == 443);
    if (!usual) text += fmt::format(":{}", url.port);
    return text;
}

} // namespace hive::call

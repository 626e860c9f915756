#include "bus/rabbitmq/endpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t url_max = 4096;
constexpr std::size_t name_max = 255; // AMQP short strings
constexpr std::size_t v6_max = 45;    // eight groups, the last two as an IPv4 address

auto refuse(std::string_view what) {
    return fail(Errc::invalid, fmt::format("broker URL: {}", what));
}

// What people typed may be long or unprintable; a message must be neither.
std::string shown(std::string_view text) {
    constexpr std::size_t shown_max = 60;
    std::string out;
    for (const char c : text.substr(0, shown_max)) out += (c >= ' ' && c <= '~') ? c : '?';
    return text.size() > shown_max ? out + "..." : out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<std::string> percent_decode(std::string_view text, std::string_view part) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return refuse(fmt::format(
                    "the {} has a '%' without two hex digits after it; write '%25' for '%'", part));
            }
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') return refuse(fmt::format("the {} holds a zero byte", part));
        out += c;
    }
    return out;
}

Result<unsigned>
number(std::string_view text, std::string_view part, unsigned least, unsigned most) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
        return refuse(
            fmt::format("{} '{}' must be a number from {} to {}", part, shown(text), least, most));
    }
    return value;
}

Status read_credentials(std::string_view text, Endpoint& out) {
    const auto colon = text.find(':');
    auto user = percent_decode(text.substr(0, colon), "user name");
    if (!user) return fail(user.error());
    if (user->empty()) return refuse("the user name is empty; write amqp://user:password@host");
    out.user = std::move(*user);
    auto password = percent_decode(
        colon == text.npos ? std::string_view{} : text.substr(colon + 1), "password");
    if (!password) return fail(password.error());
    if (out.user.size() > name_max || password->size() > name_max) {
        return refuse("the user name or password is longer than 255 bytes");
    }
    out.password = Secret{*password};
    return {};
}

bool is_host_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

Status read_host(std::string_view text, Endpoint& out) {
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == text.npos) return refuse("an IPv6 address needs a closing ']'");
        out.host = text.substr(1, end - 1);
        const bool is_v6 = std::ranges::all_of(
            out.host, [](char c) { return hex_digit(c) >= 0 || c == ':' || c == '.'; });
        if (out.host.find(':') == std::string::npos || out.host.size() > v6_max || !is_v6) {
            return refuse(fmt::format("'{}' is not an IPv6 address", shown(out.host)));
        }
        port = text.substr(end + 1);
    } else {
        const auto colon = text.find(':');
        out.host = text.substr(0, colon);
        if (out.host.empty() || out.host.size() > name_max ||
            !std::ranges::all_of(out.host, is_host_char)) {
            return refuse(fmt::format(
                "'{}' is not a host name; write amqp://host:5672 ([...] around IPv6)",
                shown(out.host)));
        }
        port = colon == text.npos ? std::string_view{} : text.substr(colon);
    }
    if (port.empty()) return {};
    if (!port.starts_with(':')) return refuse("after ']' only ':port' may follow");
    const auto parsed = number(port.substr(1), "port", 1, 65535);
    if (!parsed) return fail(parsed.error());
    out.port = static_cast<std::uint16_t>(*parsed);
    return {};
}

Status read_vhost(std::string_view text, Endpoint& out) {
    if (text.empty()) return {};
    if (text.find('/') != text.npos) {
        return refuse("a '/' inside the virtual host is written '%2f'");
    }
    auto vhost = percent_decode(text, "virtual host");
    if (!vhost) return fail(vhost.error());
    if (vhost->size() > name_max) return refuse("the virtual host is longer than 255 bytes");
    out.vhost = std::move(*vhost);
    return {};
}

Status read_tls_option(std::string_view key, std::string value, Tls& tls) {
    if (value.empty()) return refuse(fmt::format("'{}' is empty", key));
    if (key == "cacertfile") {
        tls.ca_file = std::move(value);
    } else if (key == "certfile") {
        tls.cert_file = std::move(value);
    } else if (key == "keyfile") {
        tls.key_file = std::move(value);
    } else if (key == "server_name_indication") {
        tls.server_name = std::move(value);
    } else if (value == "verify_peer" || value == "verify_none") {
        tls.verify = value == "verify_peer";
    } else {
        return refuse(fmt::format("verify '{}' must be verify_peer or verify_none", shown(value)));
    }
    return {};
}

Status read_option(std::string_view pair, Endpoint& out) {
    const auto equals = pair.find('=');
    const auto key = pair.substr(0, equals);
    constexpr std::string_view known[] = {
        "heartbeat", "connection_timeout",    "cacertfile", "certfile", "keyfile",
        "verify",    "server_name_indication"};
    if (std::ranges::find(known, key) == std::end(known)) {
        return refuse(
            fmt::format("unknown option '{}'; known are {}", shown(key), fmt::join(known, ", ")));
    }
    auto value =
        percent_decode(equals == pair.npos ? std::string_view{} : pair.substr(equals + 1), key);
    if (!value) return fail(value.error());
    if (key == "heartbeat") {
        const auto seconds = number(*value, key, 1, 3600);
        if (!seconds) return fail(seconds.error());
        out.heartbeat = std::chrono::seconds{*seconds};
        return {};
    }
    if (key == "connection_timeout") {
        const auto millis = number(*value, key, 1, 600'000);
        if (!millis) return fail(millis.error());
        out.connect_timeout = std::chrono::milliseconds{*millis};
        return {};
    }
    if (!out.tls) return refuse(fmt::format("'{}' needs amqps://", key));
    return read_tls_option(key, std::move(*value), *out.tls);
}

Status read_query(std::string_view query, Endpoint& out) {
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto pair = query.substr(0, end);
        if (auto ok = read_option(pair, out); !ok) return ok;
        query = end == query.npos ? std::string_view{} : query.substr(end + 1);
    }
    if (out.tls && out.tls->cert_file.empty() != out.tls->key_file.empty()) {
        return refuse("certfile and keyfile go together; one of them is missing");
    }
    return {};
}

} // namespace

std::string Endpoint::where() const {
    return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                               : fmt::format("[{}]:{}", host, port);
}

Result<Endpoint> parse_endpoint(std::string_view url) {
    if (url.size() > url_max) return refuse("longer than 4096 characters");
    Endpoint out;
    if (url.starts_with("amqps://")) {
        out.tls.emplace();
        out.port = 5671;
    } else if (!url.starts_with("amqp://")) {
        return refuse("must start with amqp:// or amqps://");
    }
    auto rest = url.substr(out.tls ? 8 : 7);
    if (rest.find('#') != rest.npos) return refuse("a '#' is written '%23'");
    const auto question = rest.find('?');
    const auto query = question == rest.npos ? std::string_view{} : rest.substr(question + 1);
    rest = rest.substr(0, question);
    const auto slash = rest.find('/');
    const auto vhost = slash == rest.npos ? std::string_view{} : rest.substr(slash + 1);
    auto authority = rest.substr(0, slash);
    if (const auto at = authority.rfind('@'); at != authority.npos) {
        if (authority.find('@') != at) return refuse("an '@' in a password is written '%40'");
        if (auto ok = read_credentials(authority.substr(0, at), out); !ok) return fail(ok.error());
        authority.remove_prefix(at + 1);
    }
    if (auto ok = read_host(authority, out); !ok) return fail(ok.error());
    if (auto ok = read_vhost(vhost, out); !ok) return fail(ok.error());
    if (auto ok = read_query(query, out); !ok) return fail(ok.error());
    return out;
}

} // namespace hive::bus::rabbitmq

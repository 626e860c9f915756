#include "kernel/config_type.hpp"

#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace hive {
namespace {

constexpr std::size_t text_max = 8192; // longer than any path, host or URL that works anywhere

auto not_valid() {
    return fail(Errc::invalid, {}); // the binding says what was expected
}

template <class T>
Result<T> parse_number(std::string_view text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return not_valid();
    return value;
}

struct SizeUnit {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array<SizeUnit, 10> size_units{{
    {"", 1},
    {"B", 1},
    {"KB", 1000},
    {"MB", 1000'000},
    {"GB", 1000'000'000},
    {"TB", 1000'000'000'000},
    {"KiB", std::uint64_t{1} << 10U},
    {"MiB", std::uint64_t{1} << 20U},
    {"GiB", std::uint64_t{1} << 30U},
    {"TiB", std::uint64_t{1} << 40U},
}};

// Letters, digits and what host names and IPv6 addresses need; everything else is a slip.
bool is_host(std::string_view host) {
    return !host.empty() && host.size() <= 255 && std::ranges::all_of(host, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view{"-._:%"}.find(c) != std::string_view::npos;
    });
}

struct HostPort {
    std::string host;
    std::optional<std::uint16_t> port;
};

Result<HostPort> split_host_port(std::string_view text) {
    std::string_view host;
    std::string_view rest;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == text.npos) return not_valid();
        host = text.substr(1, close - 1);
        rest = text.substr(close + 1);
    } else {
        host = text.substr(0, text.find(':'));
        rest = text.substr(host.size());
    }
    if (!is_host(host)) return not_valid();
    if (rest.empty()) return HostPort{std::string{host}, std::nullopt};
    if (!rest.starts_with(':')) return not_valid();
    const auto port = ConfigType<std::uint16_t>::parse(rest.substr(1));
    if (!port) return not_valid();
    return HostPort{std::string{host}, *port};
}

Result<std::string> parse_path(std::string_view text) {
    if (text.empty() || text.size() > text_max || text.find('\0') != text.npos) return not_valid();
    return std::string{text};
}

} // namespace

Result<ByteSize> parse_byte_size(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view unit_name = text.substr(digits);
    const auto unit = std::ranges::find(size_units, unit_name, &SizeUnit::name);
    if (unit == size_units.end() || digits == 0) return not_valid();
    const std::string_view number = text.substr(0, digits);
    if (const auto whole = parse_unsigned(number)) {
        std::uint64_t bytes = 0;
        if (__builtin_mul_overflow(*whole, unit->bytes, &bytes)) return not_valid();
        return ByteSize{bytes};
    }
    const auto value = ConfigType<double>::parse(number);
    if (!value) return not_valid();
    const double bytes = *value * static_cast<double>(unit->bytes);
    if (bytes >= 0x1.0p63 || bytes != std::floor(bytes)) return not_valid();
    return ByteSize{static_cast<std::uint64_t>(bytes)};
}

std::string format_byte_size(ByteSize size) {
    const SizeUnit* best = &size_units[1];
    for (const auto& unit : size_units) {
        const bool fits = size.bytes != 0 && size.bytes % unit.bytes == 0;
        if (fits && unit.bytes > best->bytes) best = &unit;
    }
    return fmt::format("{}{}", size.bytes / best->bytes, best->name);
}

Result<Address> parse_address(std::string_view text) {
    auto parts = split_host_port(text);
    if (!parts || !parts->port) return not_valid();
    return Address{std::move(parts->host), *parts->port};
}

std::string format_address(const Address& address) {
    const bool v6 = address.host.find(':') != std::string::npos;
    const std::string host = v6 ? fmt::format("[{}]", address.host) : address.host;
    return fmt::format("{}:{}", host, address.port);
}

Result<Url> Url::parse(std::string_view text) {
    const std::size_t colon = text.find("://");
    if (colon == text.npos || colon == 0 || text.size() > text_max) return not_valid();
    Url url;
    for (const char c : text.substr(0, colon)) {
        const bool upper = c >= 'A' && c <= 'Z';
        const char lower = upper ? static_cast<char>(c - 'A' + 'a') : c;
        const bool letter = lower >= 'a' && lower <= 'z';
        if (!letter && std::string_view{"0123456789+-."}.find(lower) == std::string_view::npos) {
            return not_valid();
        }
        url.scheme_ += lower;
    }
    const bool has_blank = std::ranges::any_of(text, [](char c) { return c >= 0 && c <= ' '; });
    if (has_blank) return not_valid();
    std::string_view authority = text.substr(colon + 3);
    authority = authority.substr(0, authority.find_first_of("/?#"));
    if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
        authority.remove_prefix(at + 1);
    }
    url.whole_ = Secret{text};
    // PostgreSQL without a host is the socket of this machine, or that of the `host` parameter.
    const bool own_socket = authority.empty() && url.scheme_.starts_with("postgres");
    if (own_socket) return url;
    auto parts = split_host_port(authority);
    if (!parts) return not_valid();
    url.host_ = std::move(parts->host);
    url.port_ = parts->port;
    return url;
}

std::string Url::shown() const {
    std::string shown = mask_url_passwords(reveal());
    // Some servers also take a password among the parameters.
    if (const std::size_t query = shown.find('?'); query != std::string::npos) {
        if (shown.find("pass", query) != std::string::npos) {
            shown.replace(query + 1, std::string::npos, masked);
        }
    }
    return shown;
}

Result<std::int64_t> parse_integer(std::string_view text) {
    return parse_number<std::int64_t>(text);
}

Result<std::uint64_t> parse_unsigned(std::string_view text) {
    return parse_number<std::uint64_t>(text);
}

Result<bool> ConfigType<bool>::parse(std::string_view text) {
    if (text == "true" || text == "yes" || text == "on") return true;
    if (text == "false" || text == "no" || text == "off") return false;
    return not_valid();
}

Result<double> ConfigType<double>::parse(std::string_view text) {
    auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value)) return not_valid();
    return value;
}

std::string ConfigType<double>::show(double value) {
    return fmt::format("{}", value);
}

Result<Duration> ConfigType<Duration>::parse(std::string_view text) {
    return parse_duration(text);
}

std::string ConfigType<Duration>::show(Duration value) {
    return format_duration(value);
}

Result<FilePath> ConfigType<FilePath>::parse(std::string_view text) {
    return parse_path(text).map([](std::string path) { return FilePath{std::move(path)}; });
}

Result<DirectoryPath> ConfigType<DirectoryPath>::parse(std::string_view text) {
    return parse_path(text).map([](std::string path) { return DirectoryPath{std::move(path)}; });
}

} // namespace hive

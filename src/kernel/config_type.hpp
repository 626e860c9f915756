#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hive {

// Bytes: `512`, `64KiB`, `1.5MB`. Units of 1024 have an i; those of 1000 do not.
struct ByteSize {
    std::uint64_t bytes = 0;
    auto operator<=>(const ByteSize&) const = default;
};
Result<ByteSize> parse_byte_size(std::string_view text);
std::string format_byte_size(ByteSize size); // the largest unit that loses nothing

// `host:port`, `[::1]:5672`. Port 0 lets the system choose.
struct Address {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const Address&) const = default;
};
Result<Address> parse_address(std::string_view text);
std::string format_address(const Address& address);

// A path as written; not looked at until someone opens it.
struct FilePath {
    std::string text;
    bool operator==(const FilePath&) const = default;
};
struct DirectoryPath {
    std::string text;
    bool operator==(const DirectoryPath&) const = default;
};

// `scheme://[user[:password]@]host[:port][/...]`. Shows itself without its password.
class Url {
public:
    static Result<Url> parse(std::string_view text);

    const std::string& scheme() const noexcept { return scheme_; } // lower case
    const std::string& host() const noexcept { return host_; }     // without brackets
    std::optional<std::uint16_t> port() const noexcept { return port_; }
    std::string shown() const;
    std::string_view reveal() const noexcept { return whole_.reveal(); }
    bool operator==(const Url&) const = default;

private:
    Url() = default;
    std::string scheme_;
    std::string host_;
    std::optional<std::uint16_t> port_;
    Secret whole_;
};

// An enum becomes an option type by a function found next to it:
//   std::span<const Named<Color>> names_of(Color);
template <class E>
struct Named {
    std::string_view name;
    E value;
};
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
    { names_of(e) } -> std::convertible_to<std::span<const Named<E>>>;
};

enum class Completes : std::uint8_t { nothing, files, directories };

// What the binding must know about a type: ConfigType<T>::parse, show, expected, value_name, and
// optionally `secret`, `completes`, `choices`.
template <class T>
struct ConfigType;

struct PlainType {
    static constexpr bool secret = false;
    static constexpr Completes completes = Completes::nothing;
    static std::vector<std::string> choices() { return {}; }
};

template <>
struct ConfigType<bool> : PlainType {
    static Result<bool> parse(std::string_view text);
    static std::string show(bool value) { return value ? "true" : "false"; }
    static std::string expected() { return "true or false"; }
    static std::string value_name() { return "BOOL"; }
    static std::vector<std::string> choices() { return {"true", "false"}; }
};

Result<std::int64_t> parse_integer(std::string_view text);
Result<std::uint64_t> parse_unsigned(std::string_view text);

template <std::integral T>
struct ConfigType<T> : PlainType {
    static Result<T> parse(std::string_view text) {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        Result<Wide> wide;
        if constexpr (std::is_signed_v<T>) {
            wide = parse_integer(text);
        } else {
            wide = parse_unsigned(text);
        }
        if (!wide || !std::in_range<T>(*wide)) return fail(Errc::invalid, {});
        return static_cast<T>(*wide);
    }
    static std::string show(T value) { return std::to_string(value); }
    static std::string expected() {
        return std::is_signed_v<T> ? "an integer" : "an integer of at least 0";
    }
    static std::string value_name() { return "N"; }
};

template <>
struct ConfigType<double> : PlainType {
    static Result<double> parse(std::string_view text); // finite
    static std::string show(double value);
    static std::string expected() { return "a number"; }
    static std::string value_name() { return "NUMBER"; }
};

template <>
struct ConfigType<std::string> : PlainType {
    static Result<std::string> parse(std::string_view text) { return std::string{text}; }
    static std::string show(const std::string& value) { return value; }
    static std::string expected() { return "a text"; }
    static std::string value_name() { return "TEXT"; }
};

template <>
struct ConfigType<Duration> : PlainType {
    static Result<Duration> parse(std::string_view text);
    static std::string show(Duration value);
    static std::string expected() { return "a duration like 250ms, 5s, 2m, 1h or PT15S"; }
    static std::string value_name() { return "DURATION"; }
};

template <>
struct ConfigType<ByteSize> : PlainType {
    static Result<ByteSize> parse(std::string_view text) { return parse_byte_size(text); }
    static std::string show(ByteSize value) { return format_byte_size(value); }
    static std::string expected() { return "a size like 512, 64KiB or 1.5GB"; }
    static std::string value_name() { return "SIZE"; }
};

template <>
struct ConfigType<Address> : PlainType {
    static Result<Address> parse(std::string_view text) { return parse_address(text); }
    static std::string show(const Address& value) { return format_address(value); }
    static std::string expected() { return "an address like localhost:8080 or [::1]:8080"; }
    static std::string value_name() { return "HOST:PORT"; }
};

template <>
struct ConfigType<FilePath> : PlainType {
    static constexpr Completes completes = Completes::files;
    static Result<FilePath> parse(std::string_view text);
    static std::string show(const FilePath& value) { return value.text; }
    static std::string expected() { return "a path"; }
    static std::string value_name() { return "FILE"; }
};

template <>
struct ConfigType<DirectoryPath> : PlainType {
    static constexpr Completes completes = Completes::directories;
    static Result<DirectoryPath> parse(std::string_view text);
    static std::string show(const DirectoryPath& value) { return value.text; }
    static std::string expected() { return "a path"; }
    static std::string value_name() { return "DIR"; }
};

template <>
struct ConfigType<Url> : PlainType {
    static constexpr bool secret = true;
    static Result<Url> parse(std::string_view text) { return Url::parse(text); }
    static std::string show(const Url& value) { return value.shown(); }
    static std::string expected() { return "a URL like scheme://host:port/path"; }
    static std::string value_name() { return "URL"; }
};

template <>
struct ConfigType<Secret> : PlainType {
    static constexpr bool secret = true;
    static Result<Secret> parse(std::string_view text) { return Secret{text}; }
    static std::string show(const Secret& value) {
        return std::string{value.empty() ? "" : masked};
    }
    static std::string expected() { return "a text, {env:NAME} or {file:/path}"; }
    static std::string value_name() { return "SECRET"; }
};

template <NamedEnum E>
struct ConfigType<E> : PlainType {
    static Result<E> parse(std::string_view text) {
        for (const auto& [name, value] : names_of(E{})) {
            if (name == text) return value;
        }
        return fail(Errc::invalid, {});
    }
    static std::string show(E value) {
        for (const auto& named : names_of(value)) {
            if (named.value == value) return std::string{named.name};
        }
        return {};
    }
    static std::string expected() {
        std::string out = "one of";
        for (const auto& name : choices()) out += (out.back() == 'f' ? " " : ", ") + name;
        return out;
    }
    static std::string value_name() { return "NAME"; }
    static std::vector<std::string> choices() {
        std::vector<std::string> out;
        for (const auto& named : names_of(E{})) out.emplace_back(named.name);
        return out;
    }
};

} // namespace hive

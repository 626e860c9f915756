#include "kernel/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace hive {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base62_digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view standard_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t no_digit = 0xff;
using DigitValues = std::array<std::uint8_t, 256>;

constexpr DigitValues values_of(std::string_view digits) {
    DigitValues values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        values[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

constexpr DigitValues base62_values = values_of(base62_digits);
constexpr DigitValues standard_values = values_of(standard_digits);
constexpr DigitValues url_values = values_of(url_digits);

std::uint8_t value_of(const DigitValues& values, char digit) noexcept {
    return values[static_cast<std::uint8_t>(digit)];
}

} // namespace

void append_hex(std::string& out, ByteView bytes) {
    for (const std::uint8_t byte : bytes) {
        out += hex_digits[byte >> 4U];
        out += hex_digits[byte & 0xfU];
    }
}

std::string to_hex(ByteView bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    append_hex(out, bytes);
    return out;
}

bool read_hex(std::string_view text, std::span<std::uint8_t> out) noexcept {
    if (text.size() != out.size() * 2) return false;
    // Arithmetic instead of a table, and one test at the end: the compiler makes vectors of it.
    std::uint8_t wrong = 0;
    const auto read = [&wrong](char c) {
        const auto digit = static_cast<std::uint8_t>(c);
        const auto value = static_cast<std::uint8_t>((digit & 0xfU) + 9 * (digit >> 6U));
        const auto spelling = static_cast<std::uint8_t>(value + '0' + (value > 9 ? 39 : 0));
        wrong |= static_cast<std::uint8_t>((spelling ^ digit) | (value & 0xf0U));
        return value;
    };
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t high = read(text[2 * i]);
        out[i] = static_cast<std::uint8_t>(high << 4U | read(text[2 * i + 1]));
    }
    return wrong == 0;
}

void append_base64(std::string& out, ByteView bytes, Base64 alphabet) {
    const std::string_view digits = alphabet == Base64::standard ? standard_digits : url_digits;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t size = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            group = group << 8U | (j < size ? bytes[i + j] : 0U);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            if (j <= size) {
                out += digits[group >> (18 - 6 * j) & 0x3fU];
            } else if (alphabet == Base64::standard) {
                out += '=';
            }
        }
    }
}

std::string to_base64(ByteView bytes, Base64 alphabet) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    append_base64(out, bytes, alphabet);
    return out;
}

Result<Bytes> from_base64(std::string_view text, Base64 alphabet) {
    const bool padded = alphabet == Base64::standard;
    const DigitValues& values = padded ? standard_values : url_values;
    if (padded && text.size() % 4 != 0) {
        return fail(Errc::invalid, "base64 text must be padded to a multiple of four with '='");
    }
    std::string_view digits = text;
    for (int i = 0; padded && i < 2 && digits.ends_with('='); ++i) digits.remove_suffix(1);

    Bytes out;
    out.reserve(digits.size() * 3 / 4);
    std::uint32_t pending = 0;
    unsigned bits = 0; // how many low bits of `pending` are not written yet
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::uint8_t value = value_of(values, digits[i]);
        if (value == no_digit) {
            return fail(Errc::invalid, fmt::format("not a base64 digit at byte {}", i));
        }
        pending = (pending << 6U | value) & 0xfffU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out.push_back(static_cast<std::uint8_t>(pending >> bits));
    }
    if (bits >= 6 || (pending & ((1U << bits) - 1U)) != 0) {
        return fail(Errc::invalid, "base64 text ends in the middle of a byte");
    }
    return out;
}

std::size_t base62_width(std::size_t bytes) noexcept {
    constexpr double digits_per_byte = 1.3436902337553234; // 8 / log2(62)
    return static_cast<std::size_t>(std::ceil(static_cast<double>(bytes) * digits_per_byte));
}

std::string to_base62(ByteView bytes) {
    assert(bytes.size() <= base62_bytes_max);
    std::string out(base62_width(bytes.size()), '0');
    Bytes number{bytes.begin(), bytes.end()};
    for (std::size_t i = out.size(); i-- > 0;) {
        unsigned remainder = 0;
        for (std::uint8_t& byte : number) {
            const unsigned part = remainder << 8U | byte;
            byte = static_cast<std::uint8_t>(part / 62);
            remainder = part % 62;
        }
        out[i] = base62_digits[remainder];
    }
    return out;
}

bool read_base62(std::string_view text, std::span<std::uint8_t> out) {
    if (out.size() > base62_bytes_max || text.size() != base62_width(out.size())) return false;
    std::ranges::fill(out, std::uint8_t{0});
    for (const char digit : text) {
        unsigned carry = value_of(base62_values, digit);
        if (carry == no_digit) return false;
        for (std::size_t i = out.size(); i-- > 0;) {
            const unsigned part = out[i] * 62U + carry;
            out[i] = static_cast<std::uint8_t>(part);
            carry = part >> 8U;
        }
        if (carry != 0) return false;
    }
    return true;
}

} // namespace hive

#include "wire/base64.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hive::wire {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> digit_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();

std::uint8_t digit(char c) {
    return digit_values[static_cast<unsigned char>(c)];
}

std::size_t padding_of(std::string_view text) {
    if (text.ends_with("==")) return 2;
    return text.ends_with('=') ? 1 : 0;
}

} // namespace

std::string to_base64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            bits <<= 8U;
            if (j < count) bits |= static_cast<unsigned char>(bytes[i + j]);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            out += j <= count ? alphabet[(bits >> (18 - 6 * j)) & 0x3fU] : '=';
        }
    }
    return out;
}

bool is_base64(std::string_view text) noexcept {
    if (text.size() % 4 != 0) return false;
    const std::size_t padding = padding_of(text);
    const std::string_view digits = text.substr(0, text.size() - padding);
    for (const char c : digits) {
        if (digit(c) == no_digit) return false;
    }
    // The bits that the last digit has too many must be zero.
    if (padding == 1) return (digit(digits.back()) & 0x3U) == 0;
    if (padding == 2) return (digit(digits.back()) & 0xfU) == 0;
    return true;
}

Result<std::string> from_base64(std::string_view text) {
    if (!is_base64(text)) return fail(Errc::invalid, "not base64 with padding (RFC 4648)");
    std::string out;
    out.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char c : text.substr(0, text.size() - padding_of(text))) {
        bits = (bits << 6U) | digit(c);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>((bits >> held) & 0xffU);
    }
    return out;
}

} // namespace hive::wire

#pragma once

#include "kernel/bytes.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hive {

// Every decoder here accepts exactly what its encoder writes, so that one value has one spelling:
// signatures and hash chains compare bytes, and a second spelling would be an unseen edit.

std::string to_hex(ByteView bytes); // lower case
void append_hex(std::string& out, ByteView bytes);
// Fills `out`; false unless `text` is exactly twice as many lower-case digits.
bool read_hex(std::string_view text, std::span<std::uint8_t> out) noexcept;

enum class Base64 : std::uint8_t {
    standard, // RFC 4648 section 4: '+', '/', padded
    url,      // RFC 4648 section 5: '-', '_', not padded
};
std::string to_base64(ByteView bytes, Base64 alphabet = Base64::standard);
void append_base64(std::string& out, ByteView bytes, Base64 alphabet = Base64::standard);
// Padding must be as the alphabet says and the unused bits of the last digit must be zero.
Result<Bytes> from_base64(std::string_view text, Base64 alphabet = Base64::standard);

// Digits 0-9A-Za-z of the bytes read as one big-endian number, always base62_width(size) of them.
// Cost grows with the square of the size: meant for keys, at most base62_bytes_max bytes.
inline constexpr std::size_t base62_bytes_max = 256;
std::size_t base62_width(std::size_t bytes) noexcept;
std::string to_base62(ByteView bytes);
// The inverse: fills `out`; false on a wrong width, a foreign digit or a number too large.
bool read_base62(std::string_view text, std::span<std::uint8_t> out);

} // namespace hive

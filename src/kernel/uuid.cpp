#include "kernel/uuid.hpp"

#include <array>

namespace hive {
namespace {

constexpr std::size_t uuid_size = 36;
constexpr bool is_hyphen_at(std::size_t i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
}

constexpr bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

} // namespace

void append_uuid(std::string& out, Random& random) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, uuid_size> text;
    text.fill('-');
    std::uint64_t bits = 0;
    unsigned left = 0;
    for (std::size_t i = 0; i < uuid_size; ++i) {
        if (is_hyphen_at(i)) continue;
        if (left == 0) {
            bits = random();
            left = 16;
        }
        std::uint64_t nibble = bits & 0xfU;
        bits >>= 4U;
        --left;
        if (i == 14) nibble = 4;                    // version 4: random
        if (i == 19) nibble = 8U | (nibble & 0x3U); // variant of RFC 9562
        text[i] = digits[nibble];
    }
    out.append(text.data(), text.size());
}

std::string make_uuid(Random& random) {
    std::string out;
    out.reserve(uuid_size);
    append_uuid(out, random);
    return out;
}

std::string make_ordered_uuid(Timestamp now, Random& random) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out = make_uuid(random);
    auto millis = static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count());
    for (std::size_t i = 13; i-- > 0;) { // the first 12 digits, last first
        if (is_hyphen_at(i)) continue;
        out[i] = digits[millis & 0xfU];
        millis >>= 4U;
    }
    out[14] = '7';
    return out;
}

bool is_uuid(std::string_view text) noexcept {
    if (text.size() != uuid_size) return false;
    for (std::size_t i = 0; i < uuid_size; ++i) {
        if (is_hyphen_at(i) ? text[i] != '-' : !is_hex(text[i])) return false;
    }
    return true;
}

} // namespace hive

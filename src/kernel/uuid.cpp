#include "kernel/uuid.hpp"

#include <array>

namespace hive {
namespace {

constexpr std::size_t uuid_size = 36;
constexpr bool is_hyphen_at(std::size_t i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
}

constexpr std::string_view digits = "0123456789abcdef";

// What an ordered one is sorted by: 48 bits of milliseconds, then their parts. The digit between
// says 7.
constexpr unsigned part_bits = 12;
constexpr std::size_t order_end = 18;
constexpr bool is_of_order(std::size_t i) {
    return !is_hyphen_at(i) && i != 14;
}

constexpr bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::uint64_t order_of(std::string_view id) {
    std::uint64_t order = 0;
    for (std::size_t i = 0; i < order_end; ++i) {
        if (!is_of_order(i)) continue;
        const char digit = id[i];
        const auto value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
        order = (order << 4U) | static_cast<std::uint64_t>(value);
    }
    return order;
}

std::string with_order(std::uint64_t order, Random& random) {
    std::string out = make_uuid(random);
    for (std::size_t i = order_end; i-- > 0;) { // the last digit first
        if (!is_of_order(i)) continue;
        out[i] = digits[order & 0xfU];
        order >>= 4U;
    }
    out[14] = '7';
    return out;
}

} // namespace

void append_uuid(std::string& out, Random& random) {
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
    using std::chrono::milliseconds;
    const auto since = now.time_since_epoch();
    const auto millis = std::chrono::floor<milliseconds>(since);
    const auto within = static_cast<std::uint64_t>(Duration{since - millis}.count());
    // RFC 9562, 6.2: the 12 bits behind the version hold the part of the millisecond that is over.
    const std::uint64_t parts = (within << part_bits) / 1'000'000;
    return with_order((static_cast<std::uint64_t>(millis.count()) << part_bits) | parts, random);
}

std::string make_ordered_uuid(Timestamp now, Random& random, std::string_view after) {
    std::string id = make_ordered_uuid(now, random);
    if (id > after || !is_uuid(after)) return id;
    return with_order(order_of(after) + 1, random);
}

bool is_uuid(std::string_view text) noexcept {
    if (text.size() != uuid_size) return false;
    for (std::size_t i = 0; i < uuid_size; ++i) {
        if (is_hyphen_at(i) ? text[i] != '-' : !is_hex(text[i])) return false;
    }
    return true;
}

} // namespace hive

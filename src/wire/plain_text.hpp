#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hive::wire {

inline constexpr std::size_t plain_block = 16; // bytes looked at together where the machine can

#if defined(__SSE2__)
// One bit for each byte of the block that does not stand for itself in a JSON string: the quote,
// the backslash and control characters.
inline unsigned special_bits(__m128i block) noexcept {
    // Unsigned c <= 0x1f, which SSE2 can only say as min(c, 0x1f) == c.
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    return static_cast<unsigned>(
        _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
}
#endif

// How many bytes at the front of `text` stand for themselves inside a JSON string.
inline std::size_t plain_prefix(std::string_view text) noexcept {
    std::size_t at = 0;
#if defined(__SSE2__)
    for (; text.size() - at >= plain_block; at += plain_block) {
        __m128i block;
        std::memcpy(&block, text.data() + at, sizeof block);
        const unsigned special = special_bits(block);
        if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special));
    }
#endif
    for (; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c < 0x20 || c == '"' || c == '\\') break;
    }
    return at;
}

// Copies what plain_prefix() counts, but one block at most. `to` has room for a whole block, of
// which only the count returned means anything.
inline std::size_t copy_plain(std::string_view text, char* to) noexcept {
#if defined(__SSE2__)
    if (text.size() >= plain_block) {
        __m128i block;
        std::memcpy(&block, text.data(), sizeof block);
        std::memcpy(to, &block, sizeof block);
        const unsigned special = special_bits(block);
        return special == 0 ? plain_block : static_cast<std::size_t>(std::countr_zero(special));
    }
#endif
    const std::size_t count = plain_prefix(text.substr(0, plain_block));
    if (count > 0) std::memcpy(to, text.data(), count);
    return count;
}

// std::string_view::starts_with without a call to memcmp, for prefixes of a few words.
inline bool begins_with(std::string_view text, std::string_view prefix) noexcept {
    const std::size_t size = prefix.size();
    const auto same = [&]<class Word>(Word left, std::size_t at) {
        Word right{};
        std::memcpy(&left, text.data() + at, sizeof left);
        std::memcpy(&right, prefix.data() + at, sizeof right);
        return left == right;
    };
    if (text.size() < size) return false;
    if (size >= sizeof(std::uint64_t)) {
        constexpr std::size_t word = sizeof(std::uint64_t);
        for (std::size_t at = 0; at + word < size; at += word) {
            if (!same(std::uint64_t{}, at)) return false;
        }
        return same(std::uint64_t{}, size - word); // overlaps the word before it
    }
    constexpr std::size_t half = sizeof(std::uint32_t);
    if (size < half) return text.starts_with(prefix);
    return same(std::uint32_t{}, 0) && same(std::uint32_t{}, size - half);
}

} // namespace hive::wire

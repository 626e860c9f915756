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

// How many bytes at the front of `text` stand for themselves inside a JSON string: everything but
// the quote, the backslash and control characters. Sixteen bytes at a time where the machine can.
inline std::size_t plain_prefix(std::string_view text) noexcept {
    std::size_t at = 0;
#if defined(__SSE2__)
    for (; text.size() - at >= sizeof(__m128i); at += sizeof(__m128i)) {
        __m128i chunk;
        std::memcpy(&chunk, text.data() + at, sizeof chunk);
        // Unsigned c <= 0x1f, which SSE2 can only say as min(c, 0x1f) == c.
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(chunk, _mm_set1_epi8(0x1f)), chunk);
        const __m128i quote = _mm_cmpeq_epi8(chunk, _mm_set1_epi8('"'));
        const __m128i backslash = _mm_cmpeq_epi8(chunk, _mm_set1_epi8('\\'));
        const auto special = static_cast<unsigned>(
            _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
        if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special));
    }
#endif
    for (; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c < 0x20 || c == '"' || c == '\\') break;
    }
    return at;
}

// std::string_view::starts_with without the call to memcmp for the sizes that matter.
inline bool begins_with(std::string_view text, std::string_view prefix) noexcept {
    constexpr std::size_t word = sizeof(std::uint64_t);
    const std::size_t size = prefix.size();
    if (text.size() < size) return false;
    if (size < word || size > 2 * word) return std::memcmp(text.data(), prefix.data(), size) == 0;
    const auto load = [](const char* from) {
        std::uint64_t value = 0;
        std::memcpy(&value, from, word);
        return value;
    };
    return load(text.data()) == load(prefix.data()) &&
           load(text.data() + size - word) == load(prefix.data() + size - word);
}

} // namespace hive::wire

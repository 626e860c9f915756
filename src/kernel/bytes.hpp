#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hive {

// Bytes that are not text: digests, keys, signatures. The view owns nothing.
using ByteView = std::span<const std::uint8_t>;
using Bytes = std::vector<std::uint8_t>;

inline ByteView bytes_of(std::string_view text) noexcept {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view text_of(ByteView bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace hive

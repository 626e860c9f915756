#pragma once

#include "kernel/bytes.hpp"
#include "kernel/clock.hpp"
#include "store/row.hpp"
#include "store/value.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace hive::store {

// How the kernel's values stand in columns.

inline std::int64_t as_column(Timestamp time) {
    return time.time_since_epoch().count();
}
// What a column holds: no log or counter of ours gets there, so what is beyond is as good as this.
inline constexpr auto column_max = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
inline std::int64_t as_column(std::uint64_t number) {
    return static_cast<std::int64_t>(std::min(number, column_max));
}
inline Blob as_column(ByteView bytes) {
    return std::as_bytes(bytes);
}
inline Value as_column(const std::optional<Timestamp>& time) {
    return time ? Value{as_column(*time)} : Value{Null{}};
}

inline Timestamp time_at(const Row& row, std::size_t column) {
    return Timestamp{Duration{row.integer(column)}};
}
inline std::optional<Timestamp> time_if(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return time_at(row, column);
}

// Bytes of another length are none that we wrote: they read as zeros, which fit no hash.
template <std::size_t size>
std::array<std::uint8_t, size> bytes_at(const Row& row, std::size_t column) {
    std::array<std::uint8_t, size> bytes{};
    const Blob found = row.blob(column);
    if (found.size() != size) return bytes;
    std::ranges::transform(
        found, bytes.begin(), [](std::byte byte) { return static_cast<std::uint8_t>(byte); });
    return bytes;
}

} // namespace hive::store

#pragma once

#include "wire/work_item.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hive::bus {

// The headers of an item in a dead-letter queue, the same on every bus.
inline constexpr std::string_view error_header = "x-ph-error";       // text
inline constexpr std::string_view attempts_header = "x-ph-attempts"; // a number
inline constexpr std::size_t error_bytes_max = 1024;

// Writes both headers; a longer reason is cut at a character of UTF-8.
void mark_dead(wire::WorkItem& item, std::string_view reason, std::uint32_t attempts);

} // namespace hive::bus

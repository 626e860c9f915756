#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive {

// RFC 3339 with any offset and up to nine fractional digits; years 1678 to 2261 (64-bit
// nanoseconds). A leap second counts as the second before it.
Result<Timestamp> parse_timestamp(std::string_view text);

// RFC 3339 in UTC with 0, 3, 6 or 9 fractional digits: as few as keep the value exact.
std::string format_timestamp(Timestamp time);
// As above, appended; for encoders that fill one buffer.
void append_timestamp(std::string& out, Timestamp time);

} // namespace hive

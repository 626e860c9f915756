#pragma once

#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::templates {

// The number `value` written through a format such as `ORD-%04d` or `%2S-%3d`. The tokens are the
// wheels of an odometer, the rightmost fastest: %S is the alphabet of the mode, %s the same in
// lower case, %d decimal. A width says how many wheels; without one the leftmost token grows as
// needed and any other has one wheel. Past its capacity a format of fixed width starts over at
// zero.
Status check_sequence_format(std::string_view mode, std::string_view format);
Status append_sequence(
    std::string& out, std::uint64_t value, std::string_view mode, std::string_view format);

} // namespace hive::templates

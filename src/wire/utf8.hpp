#pragma once

#include <string>
#include <string_view>

namespace hive::wire {

bool is_utf8(std::string_view text) noexcept;
// Every byte that is not part of a valid character replaced by U+FFFD.
std::string repaired_utf8(std::string_view text);

} // namespace hive::wire

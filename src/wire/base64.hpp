#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::wire {

// RFC 4648 §4 with padding; reading is strict, so that one payload has one spelling.
std::string to_base64(std::string_view bytes);
Result<std::string> from_base64(std::string_view text);
bool is_base64(std::string_view text) noexcept;

} // namespace hive::wire

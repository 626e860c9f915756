#pragma once

#include "kernel/random.hpp"

#include <string>
#include <string_view>

namespace hive {

std::string make_uuid(Random& random); // version 4, lower case
bool is_uuid(std::string_view text) noexcept;

} // namespace hive

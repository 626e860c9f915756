#pragma once

#include "kernel/result.hpp"

#include <string_view>

namespace hive::runtime::process {

// `/data/run cannot be made: Permission denied`, with the code that fits the system's error number.
Error trouble(std::string_view what, int error);

} // namespace hive::runtime::process

#pragma once

#include "kernel/result.hpp"

#include <string_view>

namespace hive {

// Whether a scenario may set this environment variable for a program that is started for it.
// Errc::invalid for what is no name; Errc::denied for what the hive itself says there, and for
// those that make loaders and interpreters run other code than the program's own.
Status check_variable_name(std::string_view name);

} // namespace hive

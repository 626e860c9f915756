#pragma once

#include "kernel/json.hpp"

#include <string>

namespace hive {

// For people to read and for files under version control: indented by two, a line for each member,
// what is short and flat in one line, and a line feed at the end.
std::string laid_out(const json::value& value);

} // namespace hive

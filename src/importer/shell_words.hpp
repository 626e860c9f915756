#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::importer {

using Words = std::vector<std::string>;

// Commands as a POSIX shell would split them, with $'...' of bash: quotes, backslashes, lines that
// go on, comments. Nothing is expanded or run. The error says in which line a quote is left open.
Result<std::vector<Words>> shell_commands(std::string_view text);

} // namespace hive::importer

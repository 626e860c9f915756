#pragma once

#include "cli/command.hpp"

#include <string>

namespace hive::cli {

// hive(1) in roff, for man(1): every command with its options, environment and exit codes.
std::string man_page(const Command& root, const std::string& version);

} // namespace hive::cli

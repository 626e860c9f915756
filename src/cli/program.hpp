#pragma once

#include "cli/command.hpp"
#include "cli/host.hpp"

#include <span>
#include <string>

namespace hive::cli {

// Parses, loads the configuration, runs the command; answers the exit code. `args` without the
// program's name.
int run_program(const Command& root, std::span<const std::string> args, Host& host);

} // namespace hive::cli

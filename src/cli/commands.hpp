#pragma once

#include "cli/command.hpp"

namespace hive::cli {

// The whole tree; each command is defined in the file named after it.
Command hive_command();

Command completion_command();
Command doctor_command();
Command help_command();
Command man_command();

} // namespace hive::cli

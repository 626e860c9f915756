#pragma once

#include "cli/command.hpp"

namespace hive::cli {

// What `hive report` consists of; each is defined in the file named after it.
Command report_show_command();
Command report_html_command();
Command report_compare_command();

} // namespace hive::cli

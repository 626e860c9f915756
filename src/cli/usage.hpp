#pragma once

#include "cli/command.hpp"
#include "kernel/config.hpp"

#include <string>

namespace hive::cli {

// The words that help, completion and the man page share.
std::string usage_line(const std::string& path, const Command& command);
std::string flag_spelling(const OptionInfo& info); // "-p, --port N"
std::string option_notes(const OptionInfo& info);  // "default 8080; HIVE_HTTP_PORT; http.port"

// `--help` of one command, for a terminal 80 columns wide.
std::string help_text(const std::string& path, const Command& command);

} // namespace hive::cli

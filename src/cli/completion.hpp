#pragma once

#include "cli/command.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::cli {

// Scripts that complete commands, flags, fixed choices, files and directories. They hold the whole
// tree, so completing never runs the program.
std::string bash_completion(const Command& root);
std::string zsh_completion(const Command& root);
std::string fish_completion(const Command& root);

// What the three scripts share.
std::string shell_quoted(std::string_view text);            // 'it'\''s'
std::vector<std::string> nested_paths(const Command& root); // "hive doctor", without the root
std::vector<std::string> positional_choices(const Command& command);

} // namespace hive::cli

#pragma once

#include "cli/command.hpp"
#include "kernel/config_load.hpp"
#include "kernel/finding.hpp"

#include <span>
#include <string>
#include <vector>

namespace hive::cli {

// A command line taken apart. Values are not looked at yet; that is load_config's part.
struct Arguments {
    const Command* command = nullptr; // the deepest command that was named
    std::string path{};               // "hive doctor"
    bool help = false;
    bool version = false;
    std::vector<GivenFlag> flags{};
    std::vector<std::string> positionals{};
    std::vector<Finding> findings{};
};

// `args` without the program's name. `--flag VALUE`, `--flag=VALUE`, `-f VALUE`, `-fVALUE`,
// `--no-toggle`; `--` ends the flags; flags and positionals may mix.
Arguments parse_arguments(const Command& root, std::span<const std::string> args);

} // namespace hive::cli

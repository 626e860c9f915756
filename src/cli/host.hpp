#pragma once

#include "kernel/clock.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace hive::cli {

// What surrounds a command: handed in, so that a test can be the terminal.
struct Host {
    std::ostream& out; // results
    std::ostream& err; // everything else
    std::function<std::optional<std::string>(const std::string& name)> env;
    const Clock& clock;
    bool colors = false;   // standard output is a terminal that wants them
    bool progress = false; // standard error is a terminal
    int in = 0;            // descriptor of standard input
};

} // namespace hive::cli

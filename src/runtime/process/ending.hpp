#pragma once

#include "runtime/process/descriptor.hpp"

#include <string>

namespace hive::runtime::process {

struct Ending {
    bool failed = true;
    std::string cause{}; // `exit code 3`, `killed by SIGKILL`
};

// How a process ended that has; a child of ours is reaped. Only its parent is told how, so for one
// that another process launched there is no more to say than that it ended.
Ending take_ending(const Descriptor& pidfd);

} // namespace hive::runtime::process

#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace hive::tests {

struct Command {
    std::vector<std::string> argv;
    std::vector<std::pair<std::string, std::string>> environment{}; // added to that of the test
    std::string input{};     // for run(): what it reads on stdin
    std::string output{};    // for spawn(): file that takes stdout and stderr
    std::string directory{}; // for spawn(): where it runs; empty: where the test does
    pid_t group = 0;         // for spawn(): process group to join; 0: a new one
};

struct Finished {
    int exit_code = -1;
    std::string output; // stdout and stderr
};

// Runs to the end; kills it at the deadline (exit code -1). Throws when it cannot be started.
Finished run(const Command& command, std::chrono::milliseconds within);

// Starts in a process group of its own or the given one.
pid_t spawn(const Command& command);

// True when the child has ended in time.
bool wait_for_exit(pid_t pid, std::chrono::milliseconds within);

} // namespace hive::tests

#pragma once

#include "kernel/clock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hive::bees {

struct ShellOrder {
    std::string command;
    Duration timeout{};
    std::size_t output_bytes_max = 65'536;
};

struct ShellResult {
    std::string problem{}; // why it did not run to its end; empty: it did
    bool timed_out = false;
    int exit_code = -1;   // 128 + the signal that ended it
    std::string output{}; // of both streams as they came, at most what was asked for
    std::uint64_t output_bytes = 0;
    Duration took{};

    bool ok() const noexcept { return problem.empty() && !timed_out && exit_code == 0; }
};

// Runs `/bin/sh -c command` and waits for it. Everything that it started in its group ends with it,
// as it does when `cancel` turns true.
ShellResult run_shell(const ShellOrder& order, const Clock& clock, const std::atomic<bool>& cancel);

} // namespace hive::bees

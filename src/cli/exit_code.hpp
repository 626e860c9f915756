#pragma once

namespace hive::cli {

// The exit codes of every command; scripts rely on them.
inline constexpr int exit_ok = 0;
inline constexpr int exit_check_failed = 1;  // not sound: log, store; no success: a swarm's command
inline constexpr int exit_bad_input = 2;     // the command line or a file must be changed
inline constexpr int exit_failed = 3;        // something needed is missing or broke
inline constexpr int exit_interrupted = 130; // by Ctrl-C, as a shell says it
inline constexpr int exit_broken_pipe =
    141; // the reader of our output has gone, as a shell says it

} // namespace hive::cli

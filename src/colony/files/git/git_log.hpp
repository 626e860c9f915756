#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace hive::colony::files::git {

using CommitTimes = std::unordered_map<std::string, Timestamp>; // by path below the directory

// When each file below a directory was first committed, on any branch. One that was moved as it was
// has the time of where it came from. Errc::unavailable: git is not there, refuses or takes too
// long.
Result<CommitTimes> first_commits(const std::string& directory, Duration within);

// What `git log -z --name-status --format=%x01%ct` printed, oldest first. What is odd is skipped.
CommitTimes times_in(std::string_view log);

} // namespace hive::colony::files::git

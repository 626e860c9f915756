#pragma once

#include "kernel/result.hpp"
#include "runtime/process/descriptor.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hive::runtime::process {

struct OpenLog {
    Descriptor file{};
    std::uint64_t size = 0; // where what follows will begin
};

// To append to; made when it is not there, for its owner only.
Result<OpenLog> open_log(const std::string& path);

std::uint64_t size_of_log(const std::string& path); // 0 when there is none

// Keeps what is in it as `PATH.1`, what was that as `PATH.2` and so on up to `kept`, and empties
// it. The writer keeps its descriptor, which appends; what it writes in the moment between copying
// and emptying is lost.
Status rotate_log(const std::string& path, std::size_t kept);

// The end of what was written from byte `from` on, the newest line last: at most `count` lines and
// 16 KiB, each safe to show on one line.
std::vector<std::string> last_lines(const std::string& path, std::uint64_t from, std::size_t count);

} // namespace hive::runtime::process

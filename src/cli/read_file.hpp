#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <string>

namespace hive::cli {

// The whole file, unless it has more than `bytes_max`. The error is one sentence without the path.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);
Result<std::string> read_all(int descriptor, std::size_t bytes_max);

} // namespace hive::cli

#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <string>

namespace hive::runtime::process {

// Larger ones are cut: nothing we read this way is as large.
inline constexpr std::size_t small_file_bytes_max = 8192;

// Errc::not_found when there is none.
Result<std::string> read_small_file(const std::string& path);

} // namespace hive::runtime::process

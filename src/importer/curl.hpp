#pragma once

#include "importer/draft.hpp"
#include "kernel/result.hpp"

#include <string_view>

namespace hive::importer {

inline constexpr std::size_t curl_bytes_max = std::size_t{1} << 20U;

// The calls of curl commands, one after another; other commands are left out. Errc::invalid when
// there is none, or when they cannot be read.
Result<Draft> read_curl(std::string_view text);

} // namespace hive::importer

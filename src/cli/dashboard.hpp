#pragma once

#include "api/assets.hpp"

#include <span>

namespace hive::cli {

// What `ui` was built to, part of the program; defined in a file that the build writes.
std::span<const api::AssetFile> dashboard_files();

} // namespace hive::cli

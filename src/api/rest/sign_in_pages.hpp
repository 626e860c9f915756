#pragma once

#include "api/assets.hpp"

#include <span>

namespace hive::rest {

// The pages a person may need besides the dashboard: the question whether a program may act for
// them, and, for a server without a dashboard, what this is and how to sign in.
std::span<const api::AssetFile> sign_in_pages();

} // namespace hive::rest

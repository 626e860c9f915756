#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string_view>

namespace hive::cli {

// `worker.ratePerSec=50` as a part of a patch: names by dots, the value as JSON or, where it is
// none, as text. Errc::invalid when there is no name, or one stands for a value set before.
Status set_in(json::object& patch, std::string_view assignment);

} // namespace hive::cli

#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>

namespace hive::cli {

// The bees of a template and the queues between them as a picture that needs nothing else: work
// flows from left to right, a bee stands behind those that feed it.
Result<std::string> scenario_svg(const json::object& bees, const std::string& title);

} // namespace hive::cli

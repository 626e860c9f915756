#pragma once

#include "api/mcp/tool.hpp"

#include <string>

namespace hive::mcp {

// Why the API refused, in words that tell a model what to do next.
std::string trouble_of(const RestAnswer& answer);

} // namespace hive::mcp

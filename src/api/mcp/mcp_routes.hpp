#pragma once

#include "api/mcp/exchange.hpp"
#include "api/rest/hive_server.hpp"

namespace hive::mcp {

// Streamable HTTP at `/mcp`, for the server whose parts these are.
void offer_mcp(const ServerInfo& info, rest::HiveParts& parts);

} // namespace hive::mcp

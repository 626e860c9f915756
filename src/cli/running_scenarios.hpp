#pragma once

#include "api/rest/hive_server.hpp"
#include "cli/server_config.hpp"
#include "scenario/shelf.hpp"

#include <memory>

namespace hive::cli {

// The folder of scenarios of a server, with what the bees of this program can be told.
Result<std::unique_ptr<scenario::Shelf>> open_scenarios(const ServerConfig& config);

// Their routes, schemas and snapshots, and the watch over what is edited beside the server. The
// shelf outlives it.
void offer_scenarios(scenario::Shelf& shelf, const Clock& clock, rest::HiveParts& parts);

} // namespace hive::cli

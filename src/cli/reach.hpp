#pragma once

#include "cli/client_config.hpp"
#include "cli/command.hpp"
#include "cli/local_hive.hpp"
#include "cli/server_client.hpp"
#include "kernel/config.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace hive::cli {

// How a command reaches a hive: over its server, or through its store when --data or --store say
// where that is.
struct ReachConfig {
    ClientConfig client{};
    std::optional<DirectoryPath> data{};
    std::optional<Url> store{};
    std::string hive = "main";

    bool local() const noexcept { return data || store; }
};

void declare_reach_options(OptionTable& table, ReachConfig& config);

using Reached = std::variant<ServerClient, std::unique_ptr<LocalHive>>;

// Errc::invalid when both ways are on the command line.
Result<Reached> reach(const ReachConfig& config, const Call& call, StoreUse use = StoreUse::visit);

} // namespace hive::cli

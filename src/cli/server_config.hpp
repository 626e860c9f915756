#pragma once

#include "kernel/config.hpp"
#include "kernel/log_format.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hive::cli {

// What a hive needs to know to run as a server. Defaults are the embedded size: nothing to install,
// nothing reachable from other machines.
struct ServerConfig {
    FilePath config_file{};
    std::string listen = "127.0.0.1";
    std::uint16_t port = 8080;
    DirectoryPath data{".hive"};
    std::optional<Url> broker{}; // none: the bus is in memory
    std::optional<Url> store{};  // none: SQLite in the data directory
    std::string log_level = "info";
    std::optional<LogFormat> log_format{}; // none: human on a terminal, JSON elsewhere
};

void declare_server_options(OptionTable& table, ServerConfig& config);

} // namespace hive::cli

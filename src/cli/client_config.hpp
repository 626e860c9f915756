#pragma once

#include "cli/host.hpp"
#include "cli/profiles.hpp"
#include "kernel/config.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <optional>
#include <string>

namespace hive::cli {

// Which server a command talks to and who it is there.
struct ClientConfig {
    std::optional<Url> server{};
    Secret key{};
    std::string profile{};
    std::optional<FilePath> ca_file{};
    bool insecure = false;
};

void declare_client_options(OptionTable& table, ClientConfig& config);
// Those of them that do not say who: for logging in.
void declare_server_address(OptionTable& table, ClientConfig& config);

// Where to and as whom, decided.
struct Connection {
    std::string server{}; // `https://hive.example`, without a slash at the end
    Secret key{};         // empty: for what is open to all
    std::string ca_file{};
    bool insecure = false;
};

// Flags and environment first, then the named or the current profile. A key of a profile goes only
// to the server of that profile. Errc::invalid, saying how to log in, when something is missing.
Result<Connection> resolve_connection(const ClientConfig& config, const Host& host);

// Errc::invalid for what is not the address of a server: a path, a password, another scheme.
Result<std::string> server_address(const Url& url);

// Errc::invalid when a key would cross the network readable.
Status check_privacy(const std::string& server, bool insecure);

} // namespace hive::cli

#pragma once

#include "api/colony/colony_policy.hpp"
#include "cli/files_config.hpp"
#include "cli/swarm_config.hpp"
#include "kernel/clock.hpp"
#include "kernel/config.hpp"
#include "kernel/log_format.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hive::cli {

// Who can reach the server, and how.
struct HttpConfig {
    std::string listen = "127.0.0.1";
    std::uint16_t port = 8080;
    std::uint32_t threads = 2;
    std::optional<FilePath> certificate{};
    std::optional<FilePath> private_key{};
    bool insecure = false; // plain HTTP beyond this machine
    std::string public_url{};
    std::vector<std::string> origins{};
    std::uint32_t body_kib = 1024;
    std::uint32_t connections_per_peer = 1000;
};

// Where people sign in, when it is not with a link; docs/guides/sign-in.md.
struct SignInConfig {
    std::string provider = "openid";
    std::string issuer{};
    std::string client_id{}; // empty: there is no provider
    Secret client_secret{};
    std::string redirect_uri{}; // empty: http.public-url and /auth/callback
    std::string scope{};
    std::vector<std::string> roles{};
    std::string default_role{};
    std::optional<FilePath> ca_file{};
    std::string github_web{};
    std::string github_api{};
};

struct AuthConfig {
    Duration session_idle = std::chrono::hours{12};
    Duration session_longest = std::chrono::hours{24 * 7};
    std::map<std::string, std::uint32_t> requests_per_minute{}; // by class of routes; 0: no limit
    SignInConfig oidc{};
};

struct AuditConfig {
    std::optional<FilePath> key_file{}; // none: audit.key in the data directory
    Duration checkpoint_every = std::chrono::seconds{10};
};

// What a hive needs to know to run as a server. Defaults are the embedded size: nothing to install,
// nothing reachable from other machines.
struct ServerConfig {
    FilePath config_file{};
    std::string hive = "main";
    HttpConfig http{};
    DirectoryPath data{".hive"};
    std::optional<DirectoryPath> scenarios{}; // none: `scenarios` in the data directory
    std::optional<Url> broker{};              // none: the bus is in memory
    std::optional<Url> store{};               // none: SQLite in the data directory
    SwarmConfig swarm{};
    rest::ColonyPolicy colony{};
    FilesConfig files{};
    AuthConfig auth{};
    AuditConfig audit{};
    std::string log_level = "info";
    std::optional<LogFormat> log_format{}; // none: human on a terminal, JSON elsewhere
};

void declare_server_options(OptionTable& table, ServerConfig& config);

// The part of it that says where the data is: for commands beside a server.
struct StoreConfig {
    std::string hive = "main";
    DirectoryPath data{".hive"};
    std::optional<Url> store{};
};
void declare_store_options(OptionTable& table, StoreConfig& config);

} // namespace hive::cli

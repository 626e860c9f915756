#pragma once

#include "cli/client_config.hpp"
#include "cli/command.hpp"
#include "cli/server_client.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>

namespace hive::cli {

// What `hive swarm` consists of; each is defined in the file named after it.
Command swarm_create_command();
Command swarm_start_command();
Command swarm_stop_command();
Command swarm_remove_command();
Command swarm_list_command();
Command swarm_show_command();
Command swarm_config_command();
Command swarm_journal_command();
Command swarm_tap_command();
Command swarm_enable_command();
Command swarm_disable_command();

// How long a command stays, and how it answers.
struct WaitOptions {
    bool wait = false;
    Duration timeout = std::chrono::minutes{5};
    bool json = false;
};
void declare_wait_options(OptionTable& table, WaitOptions& options);

struct OneSwarmOptions {
    ClientConfig client{};
    std::string id{};
    WaitOptions wait{};
};
void declare_one_swarm(OptionTable& table, OneSwarmOptions& options);

// The controller of one swarm, or of all.
struct SwitchOptions {
    ClientConfig client{};
    std::string id{};
    bool all = false;
    WaitOptions wait{};
};
void declare_switch(OptionTable& table, SwitchOptions& options);
int run_switch(SwitchOptions& options, Call& call, std::string_view verb);

Result<ServerClient> reach_server(const ClientConfig& client, const Host& host);
std::string swarm_path(std::string_view id, std::string_view rest = "");

// What was accepted, or with --wait how it ended. 0: it did what it is for; 1: it did not.
int finish(
    Host& host, ServerClient& server, const Result<json::value>& accepted,
    const WaitOptions& options);

// A file of YAML or JSON as JSON; Errc::invalid with file, line and reason.
Result<json::value> read_document(const std::string& path);

} // namespace hive::cli

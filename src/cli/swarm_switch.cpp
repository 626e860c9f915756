// Pausing and resuming of controllers, of which enable and disable are the two sides.
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"

#include <fmt/format.h>

namespace hive::cli {

void declare_switch(OptionTable& table, SwitchOptions& options) {
    table.add_positional("ID", options.id).help("of the swarm");
    table.add_flag("all", options.all).help("every swarm, instead of one");
    declare_wait_options(table, options.wait);
    declare_client_options(table, options.client);
}

int run_switch(SwitchOptions& options, Call& call, std::string_view verb) {
    if (options.all != options.id.empty()) {
        return report(call.host, {Errc::invalid, "say which swarm by its ID, or --all"});
    }
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const std::string whose = options.all ? "" : percent_encoded(options.id) + "/";
    return finish(
        call.host, *server, server->post(fmt::format("/api/v1/swarm-managers/{}{}", whose, verb)),
        options.wait);
}

} // namespace hive::cli

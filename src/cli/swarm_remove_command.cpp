#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"

namespace hive::cli {
namespace {

int run_swarm_remove(OneSwarmOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return finish(call.host, *server, server->remove(swarm_path(options.id)), options.wait);
}

} // namespace

Command swarm_remove_command() {
    return make_command<OneSwarmOptions>(
        {.name = "remove",
         .summary = "remove a swarm with its bees and queues",
         .examples =
             {{"hive swarm remove alpha --wait", "until nothing of it is left but its journal"}}},
        declare_one_swarm, run_swarm_remove);
}

} // namespace hive::cli

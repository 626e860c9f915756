#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"

namespace hive::cli {
namespace {

int run_swarm_stop(OneSwarmOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return finish(call.host, *server, server->post(swarm_path(options.id, "/stop")), options.wait);
}

} // namespace

Command swarm_stop_command() {
    return make_command<OneSwarmOptions>(
        {.name = "stop",
         .summary = "stop the work of a swarm; its bees stay",
         .examples = {{"hive swarm stop alpha --wait", "until every bee rests"}}},
        declare_one_swarm, run_swarm_stop);
}

} // namespace hive::cli

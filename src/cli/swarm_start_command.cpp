#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"

namespace hive::cli {
namespace {

int run_swarm_start(OneSwarmOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return finish(call.host, *server, server->post(swarm_path(options.id, "/start")), options.wait);
}

} // namespace

Command swarm_start_command() {
    return make_command<OneSwarmOptions>(
        {.name = "start",
         .summary = "start the work of a swarm",
         .examples = {{"hive swarm start alpha --wait", "until every bee works"}}},
        declare_one_swarm, run_swarm_start);
}

} // namespace hive::cli

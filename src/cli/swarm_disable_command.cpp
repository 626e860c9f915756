#include "cli/swarm_commands.hpp"

namespace hive::cli {
namespace {

int run_swarm_disable(SwitchOptions& options, Call& call) {
    return run_switch(options, call, "disable");
}

} // namespace

Command swarm_disable_command() {
    return make_command<SwitchOptions>(
        {.name = "disable",
         .summary = "pause the controller of a swarm; its bees go on",
         .examples =
             {{"hive swarm disable alpha --wait", "it leaves its bees alone"},
              {"hive swarm disable --all --wait", "the same for all of them"}}},
        declare_switch, run_swarm_disable);
}

} // namespace hive::cli

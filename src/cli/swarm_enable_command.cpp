#include "cli/swarm_commands.hpp"

namespace hive::cli {
namespace {

int run_swarm_enable(SwitchOptions& options, Call& call) {
    return run_switch(options, call, "enable");
}

} // namespace

Command swarm_enable_command() {
    return make_command<SwitchOptions>(
        {.name = "enable",
         .summary = "resume the controller of a swarm",
         .examples =
             {{"hive swarm enable alpha --wait", "it looks after its bees again"},
              {"hive swarm enable --all --wait", "the same for all of them"}}},
        declare_switch, run_swarm_enable);
}

} // namespace hive::cli

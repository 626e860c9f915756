#include "cli/swarm_config.hpp"

#include "kernel/id.hpp"

namespace hive::cli {
namespace {

using namespace std::chrono_literals;

void add_time(OptionTable& table, std::string key, Duration& target, std::string help) {
    table.add(std::move(key), target).range(1ms, 24h).help(std::move(help));
}

// Of runs that are over and not pinned.
void declare_retention(OptionTable& table, SwarmConfig& config) {
    store::JournalRetention& kept = config.retention;
    table.add("swarm.runs-kept-for", kept.run_age)
        .range(1s, 24h * 3650)
        .help("runs stay so long after their end, with their journals, unless they are pinned");
    table.add("swarm.runs-kept", kept.runs_ended)
        .range(std::size_t{1}, std::size_t{1'000'000})
        .help("and not more than so many of them, the newest");
    table.add("swarm.journal-kept", kept.entries_without_run)
        .range(std::size_t{1}, std::size_t{100'000'000})
        .help("so many entries of the journal that belong to no run, the newest");
    table.add("swarm.journal-swept-every", config.sweep_every)
        .range(1s, 24h)
        .help("how often the journal is rid of what is no longer kept");
}

} // namespace

void declare_component_options(OptionTable& table, ComponentConfig& config) {
    controller::Settings& marshal = config.marshal;
    add_time(
        table, "swarm.provision-each", marshal.provision_each,
        "a bee that has not come up and taken its configuration by then fails the swarm");
    add_time(
        table, "swarm.start-each", marshal.start_each, "a bee must have started within this time");
    add_time(table, "swarm.start-all", marshal.start_all, "and the whole swarm within this");
    add_time(
        table, "swarm.stop-each", marshal.stop_each,
        "a bee that has not stopped by then is ended by force");
    add_time(
        table, "swarm.bee-silent-after", marshal.silent_after,
        "a bee that says nothing for so long is asked for its status");
    add_time(
        table, "swarm.bee-stale-after", marshal.stale_after,
        "and is stale when it has not answered for so long");
    add_time(
        table, "swarm.bee-told-again", marshal.send_again,
        "what a bee has not acknowledged is told again after this time");
    add_time(
        table, "swarm.status-every", marshal.delta_every,
        "a controller reports at least this often");
    add_time(table, "swarm.bee-status-every", config.bee.delta_every, "and a bee this often");
    table.add("swarm.programs", config.programs)
        .value_name("PATH")
        .help("programs that bees of other makes are run with, where bees are processes");
    table.add("swarm.buffer-guards", marshal.buffer_guards)
        .help("whether buffer guards of scenarios steer; off leaves all rates as configured");
    table.add("swarm.allow-shell", config.allow_shell)
        .help("let triggers of scenarios run shell commands as the user of this server");
}

std::map<std::string, std::string> environment_of(const ComponentConfig& config) {
    ComponentConfig copy = config;
    OptionTable table;
    declare_component_options(table, copy);
    std::map<std::string, std::string> environment;
    for (const auto& option : table.options()) {
        auto text = option->show();
        if (!text.empty()) environment[option->info.env] = std::move(text);
    }
    return environment;
}

void declare_swarm_options(OptionTable& table, SwarmConfig& config) {
    table.add("swarm.queen", config.queen)
        .value_name("ID")
        .check([](const std::string& text) -> Status {
            auto id = InstanceId::parse(text);
            return id ? Status{} : fail(id.error());
        })
        .help("name of this orchestrator on the control plane");
    table.add("swarm.runtime", config.runtime)
        .choices({"auto", "inproc", "process"})
        .help("where bees run: threads of this process or processes of their own");
    table.add("swarm.threads", config.threads)
        .range(1, 256)
        .help("threads that the control plane in this process shares");
    orchestrator::Settings& queen = config.orchestrator;
    add_time(table, "swarm.ready-within", queen.ready_within, "a swarm must be ready within this");
    add_time(table, "swarm.start-within", queen.start_within, "longest wait for a start");
    add_time(table, "swarm.stop-within", queen.stop_within, "longest wait for a stop");
    add_time(table, "swarm.remove-within", queen.remove_within, "longest wait for a removal");
    add_time(
        table, "swarm.config-within", queen.config_within, "longest wait for a new configuration");
    add_time(
        table, "swarm.told-again", queen.send_again,
        "a command without reaction is sent again after this time");
    declare_retention(table, config);
    declare_component_options(table, config.components);
}

} // namespace hive::cli

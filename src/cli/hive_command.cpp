#include "cli/commands.hpp"

#include <string>
#include <vector>

namespace hive::cli {
namespace {

void suggest_commands(Command& help, const std::vector<Command>& commands) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.text.name);
    for (const auto& option : help.options.options()) option->info.choices = names;
}

} // namespace

Command hive_command() {
    Command root{
        .text = {
            .name = "hive",
            .summary = "runs swarms of bees that load, measure and work",
            .description =
                "PocketHive is one program: it generates and measures traffic against a system "
                "under test, and gives working bees (agents, scripts, people) tasks, channels and "
                "an audit chain.\n\n"
                "Settings come from flags, then the environment, then a config file, then "
                "defaults; the first that has a value wins. Secrets may be written as {env:NAME} "
                "or {file:/path}.",
            .examples = {
                {"hive run http://localhost:8080/ --rate 500 --duration 10s",
                 "load a URL and report"},
                {"hive up", "run a hive right here"},
                {"hive doctor", "check this machine and say what to do"}}}};
    root.children.push_back(run_command());
    root.children.push_back(up_command());
    root.children.push_back(serve_command());
    root.children.push_back(scenario_command());
    root.children.push_back(swarm_command());
    root.children.push_back(report_command());
    root.children.push_back(task_command());
    root.children.push_back(message_command());
    root.children.push_back(bee_command());
    root.children.push_back(approval_command());
    root.children.push_back(cost_command());
    root.children.push_back(webhook_command());
    root.children.push_back(mcp_command());
    root.children.push_back(login_command());
    root.children.push_back(profile_command());
    root.children.push_back(whoami_command());
    root.children.push_back(key_command());
    root.children.push_back(audit_command());
    root.children.push_back(store_command());
    root.children.push_back(mock_command());
    root.children.push_back(doctor_command());
    root.children.push_back(controller_command());
    root.children.push_back(worker_command());
    root.children.push_back(completion_command());
    root.children.push_back(man_command());
    root.children.push_back(help_command());
    suggest_commands(root.children.back(), root.children);
    return root;
}

} // namespace hive::cli

#include "cli/config_patch.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"

#include <optional>
#include <vector>

namespace hive::cli {
namespace {

struct SwarmConfigOptions {
    OneSwarmOptions one{};
    std::optional<FilePath> patch{};
    std::vector<std::string> set{};
    std::string role{};
    std::string instance{};
};

void declare_swarm_config(OptionTable& table, SwarmConfigOptions& options) {
    table.add_flag("patch", options.patch)
        .value_name("FILE")
        .help("what to change, as YAML or JSON; it is merged into what is there");
    table.add_flag("set", options.set)
        .value_name("NAME=VALUE")
        .help("one change, such as text=hello or limits.items=50; the value is JSON or text");
    table.add_flag("role", options.role).value_name("ROLE").help("only bees of this role");
    table.add_flag("instance", options.instance)
        .value_name("NAME")
        .help("only this one of the role");
    declare_one_swarm(table, options.one);
}

Result<json::object> patch_of(const SwarmConfigOptions& options) {
    if (!options.patch && options.set.empty()) {
        return fail(Errc::invalid, "nothing to change: use --set NAME=VALUE or --patch FILE");
    }
    json::object patch;
    if (options.patch) {
        auto document = read_document(options.patch->text);
        if (!document) return fail(document.error());
        if (!document->is_object()) {
            return fail(Errc::invalid, options.patch->text + ": must hold names with values");
        }
        patch = std::move(document->get_object());
    }
    for (const std::string& one : options.set) {
        if (auto ok = set_in(patch, one); !ok) return fail(ok.error());
    }
    return patch;
}

int run_swarm_config(SwarmConfigOptions& options, Call& call) {
    if (!options.instance.empty() && options.role.empty()) {
        return report(call.host, {Errc::invalid, "--instance needs --role"});
    }
    const auto patch = patch_of(options);
    if (!patch) return report(call.host, patch.error());
    auto server = reach_server(options.one.client, call.host);
    if (!server) return report(call.host, server.error());
    std::string rest;
    if (!options.role.empty()) rest += "/components/" + percent_encoded(options.role);
    if (!options.instance.empty()) rest += "/" + percent_encoded(options.instance);
    return finish(
        call.host, *server, server->post(swarm_path(options.one.id, rest + "/config"), *patch),
        options.one.wait);
}

} // namespace

Command swarm_config_command() {
    return make_command<SwarmConfigOptions>(
        {.name = "config",
         .summary = "change the configuration of a swarm, a role or one bee",
         .examples =
             {{"hive swarm config alpha --set ratePerSec=50 --role generator --wait",
               "every generator has it when the command ends"},
              {"hive swarm config alpha --patch faster.yaml", "the whole swarm, from a file"}}},
        declare_swarm_config, run_swarm_config);
}

} // namespace hive::cli

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/scenario_commands.hpp"
#include "cli/scenario_rendering.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct ScenarioRenderOptions {
    ScenarioOptions scenario{};
    std::string bee{};
    std::string payload{};
    std::vector<std::string> headers{};
    std::uint64_t seed = 1;
};

void declare_scenario_render(OptionTable& table, ScenarioRenderOptions& options) {
    declare_scenario_options(table, options.scenario);
    table.add_flag("bee", options.bee).required().value_name("ID").help("whose template");
    table.add_flag("payload", options.payload).value_name("TEXT").help("of the item it is given");
    table.add_flag("header", options.headers)
        .value_name("NAME=VALUE")
        .help("of the item it is given; x-ph-call-id chooses the call of a builder");
    table.add_flag("seed", options.seed).help("of everything that is left to chance");
}

Result<scenario::Sample> sample_of(const ScenarioRenderOptions& options) {
    scenario::Sample sample{.bee = options.bee, .payload = options.payload, .seed = options.seed};
    for (const std::string& each : options.headers) {
        const auto equals = each.find('=');
        if (equals == each.npos || equals == 0) {
            return fail(
                Errc::invalid,
                fmt::format("--header '{}': write it as NAME=VALUE", printable(each)));
        }
        sample.headers[each.substr(0, equals)] = each.substr(equals + 1);
    }
    return sample;
}

int run_scenario_render(ScenarioRenderOptions& options, Call& call) {
    const auto sample = sample_of(options);
    if (!sample) return report(call.host, sample.error());
    const auto compiled = compile_scenario(call.host, options.scenario);
    if (!compiled) return exit_bad_input;
    const auto text = render_sample(*compiled, *sample, call.host.clock);
    if (!text) return report(call.host, text.error());
    call.host.out << *text << '\n';
    return exit_ok;
}

} // namespace

Command scenario_render_command() {
    return make_command<ScenarioRenderOptions>(
        {.name = "render",
         .summary = "try the template of a bee on one item",
         .description =
             "Prints what a generator or a builder would hand on, without a swarm. The same seed "
             "gives the same text. Secrets stay references.",
         .examples =
             {{"hive scenario render scenarios/hello --bee generator", "its message"},
              {"hive scenario render shop --bee builder --header x-ph-call-id=login",
               "one call of a builder"}}},
        declare_scenario_render, run_scenario_render);
}

} // namespace hive::cli

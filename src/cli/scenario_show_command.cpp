#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/scenario_commands.hpp"
#include "cli/scenario_svg.hpp"
#include "cli/swarm_graph.hpp"
#include "cli/text_table.hpp"
#include "kernel/duration.hpp"
#include "kernel/text.hpp"
#include "scenario/wire_plan.hpp"

#include <fmt/format.h>

#include <fstream>

namespace hive::cli {
namespace {

struct ScenarioShowOptions {
    ScenarioOptions scenario{};
    std::optional<FilePath> svg{};
    bool json = false;
};

void declare_scenario_show(OptionTable& table, ScenarioShowOptions& options) {
    declare_scenario_options(table, options.scenario);
    table.add_flag("json", options.json)
        .help("what a controller would be given, with the plan and the guards");
    table.add_flag("svg", options.svg).help("write the picture to a file that browsers show");
}

std::string_view word_of(scenario::StepType type) {
    switch (type) {
    case scenario::StepType::config_update: return "config-update";
    case scenario::StepType::start: return "start";
    case scenario::StepType::stop: return "stop";
    case scenario::StepType::ramp: return "ramp";
    case scenario::StepType::spike: return "spike";
    }
    return "";
}

std::string plan_text(const scenario::Plan& plan) {
    if (plan.empty()) return {};
    std::string out = fmt::format(
        "\nplan: {} a run, {} run{}\n", format_duration(plan.length), plan.runs,
        plan.runs == 1 ? "" : "s");
    for (const scenario::Step& step : plan.steps) {
        out += fmt::format(
            "  {:>8}  {:<13}  {:<16}  {}\n", format_duration(step.time), word_of(step.type),
            step.target.name.empty() ? "swarm" : step.target.name,
            step.name.empty() ? step.id : step.name);
    }
    return out;
}

std::string guards_text(const std::vector<scenario::Guard>& guards) {
    std::string out;
    for (const scenario::Guard& guard : guards) {
        out += fmt::format(
            "\nguard{}: keeps {} at {} ({} to {}) by the rate of {}\n",
            guard.enabled ? "" : " (off)", guard.queue, guard.target_depth, guard.min_depth,
            guard.max_depth, fmt::join(guard.producers, ", "));
    }
    return out;
}

int draw(const scenario::Compiled& compiled, const std::string& path, Host& host) {
    const auto picture =
        scenario_svg(compiled.bees, compiled.name.empty() ? compiled.id : compiled.name);
    if (!picture) return report(host, picture.error());
    std::ofstream file{path, std::ios::binary | std::ios::trunc};
    file << *picture;
    file.close();
    if (!file) {
        return report(host, {Errc::unavailable, printable(path, 300) + ": cannot be written"});
    }
    host.out << "wrote " << path << '\n';
    return exit_ok;
}

int run_scenario_show(ScenarioShowOptions& options, Call& call) {
    const auto compiled = compile_scenario(call.host, options.scenario);
    if (!compiled) return exit_bad_input;
    if (options.json) {
        json::object given = compiled->bees;
        if (!compiled->plan.empty() || !compiled->guards.empty()) {
            given["plan"] = scenario::wire_plan(*compiled);
        }
        call.host.out << to_text(given) << '\n';
        return exit_ok;
    }
    if (options.svg) return draw(*compiled, options.svg->text, call.host);
    std::string thresholds;
    for (const auto& each : compiled->thresholds) {
        thresholds += (thresholds.empty() ? "" : ", ") + each.expr;
    }
    call.host.out << fields_text(
                         {{"scenario", compiled->id},
                          {"name", compiled->name},
                          {"sut", compiled->sut},
                          {"profile", compiled->profile},
                          {"thresholds", thresholds}})
                  << '\n'
                  << template_graph(compiled->bees) << plan_text(compiled->plan)
                  << guards_text(compiled->guards);
    return exit_ok;
}

} // namespace

Command scenario_show_command() {
    return make_command<ScenarioShowOptions>(
        {.name = "show",
         .summary = "draw the bees of a scenario and the queues between them",
         .description =
             "Bees stand from left to right as work flows, with the queues between them: "
             "[gen] -> raw -> [proc x3]. A branch has a line of its own. Plan and guards follow.",
         .examples =
             {{"hive scenario show scenarios/hello", "for people"},
              {"hive scenario show scenarios/hello --json",
               "the template that `hive swarm create` takes; .plan is its --plan"},
              {"hive scenario show scenarios/hello --svg hello.svg", "for a document"}}},
        declare_scenario_show, run_scenario_show);
}

} // namespace hive::cli

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_commands.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

struct ScenarioValidateOptions {
    ScenarioOptions scenario{};
    bool json = false;
};

void declare_scenario_validate(OptionTable& table, ScenarioValidateOptions& options) {
    declare_scenario_options(table, options.scenario);
    table.add_flag("json", options.json).help("answer for scripts");
}

std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

int run_scenario_validate(ScenarioValidateOptions& options, Call& call) {
    const auto choices = choices_of(options.scenario);
    if (!choices) return report(call.host, choices.error());
    const auto loaded = scenario::load(options.scenario.path.text);
    std::vector<Finding> findings = loaded.findings;
    const auto more = scenario::validate(loaded, scenario_catalog(), *choices);
    findings.insert(findings.end(), more.begin(), more.end());
    scenario::sort_by_place(findings);
    const auto count = [&](Severity severity) {
        return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
    };
    const std::size_t errors = count(Severity::error);
    const std::size_t warnings = count(Severity::warning);
    if (options.json) {
        const json::object answer{
            {"ok", errors == 0}, {"id", loaded.scenario.id}, {"bees", loaded.scenario.bees.size()},
            {"errors", errors},  {"warnings", warnings},     {"findings", to_json(findings)}};
        call.host.out << to_text(answer) << '\n';
    } else {
        print_findings(call.host.out, findings, loaded.bundle);
        call.host.out << fmt::format(
            "{}: {}, {}, {}\n", options.scenario.path.text,
            errors == 0 ? counted(loaded.scenario.bees.size(), "bee") : "not sound",
            counted(errors, "error"), counted(warnings, "warning"));
    }
    return errors == 0 ? exit_ok : exit_bad_input;
}

} // namespace

Command scenario_validate_command() {
    return make_command<ScenarioValidateOptions>(
        {.name = "validate",
         .summary = "say everything that is wrong with a scenario",
         .description =
             "Reads the whole bundle and says all findings at once: the place, a stable code, the "
             "reason and what to do. Errors keep a scenario from running, warnings do not. "
             "Without --sut and --profile the first there is stands for all.",
         .examples =
             {{"hive scenario validate scenarios/hello", "for people"},
              {"hive scenario validate scenarios/hello --json", "for scripts: ok, findings[]"},
              {"hive scenario validate old-bundle --endpoint default=http://127.0.0.1:8089",
               "of a bundle that describes no system under test"}}},
        declare_scenario_validate, run_scenario_validate);
}

} // namespace hive::cli

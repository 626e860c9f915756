#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_commands.hpp"
#include "kernel/text.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {

void declare_scenario_options(OptionTable& table, ScenarioOptions& options) {
    table.add_positional("PATH", options.path)
        .required()
        .help("a folder with scenario.yaml, or one file");
    table.add_flag("sut", options.sut).value_name("ID").help("the environment, of those in sut/");
    table.add_flag("profile", options.profile)
        .value_name("ID")
        .help("the profile, of those in variables.yaml");
    table.add_flag("endpoint", options.endpoints)
        .value_name("NAME=URL")
        .help("where an endpoint of the system under test is, instead of what the bundle says");
    table.add_flag("set", options.set)
        .value_name("BEE.SETTING=VALUE")
        .help("another value for a setting of a bee");
}

Result<scenario::Choices> choices_of(const ScenarioOptions& options) {
    scenario::Choices choices{
        .sut = options.sut, .profile = options.profile, .overrides = options.set};
    for (const std::string& each : options.endpoints) {
        const auto equals = each.find('=');
        if (equals == each.npos || equals == 0 || equals + 1 == each.size()) {
            return fail(
                Errc::invalid,
                fmt::format("--endpoint '{}': write it as NAME=URL", printable(each)));
        }
        choices.endpoints[each.substr(0, equals)] = each.substr(equals + 1);
    }
    return choices;
}

void print_findings(
    std::ostream& to, const std::vector<Finding>& findings, const scenario::Bundle& bundle) {
    std::vector<std::string> names;
    names.reserve(bundle.texts.size());
    std::vector<SourceText> sources;
    for (const auto& [path, text] : bundle.texts) {
        sources.push_back({names.emplace_back(bundle.name_of(path)), text});
    }
    // The line alone does not say what is missing from it.
    std::vector<Finding> named = findings;
    for (Finding& finding : named) {
        if (!finding.key.empty()) finding.message = finding.key + ": " + finding.message;
    }
    to << render(named, sources);
}

std::optional<scenario::Compiled> compile_scenario(Host& host, const ScenarioOptions& options) {
    const auto choices = choices_of(options);
    if (!choices) {
        report(host, choices.error());
        return std::nullopt;
    }
    const auto loaded = scenario::load(options.path.text);
    const auto catalog = scenario_catalog();
    std::vector<Finding> findings = loaded.findings;
    const auto more = scenario::validate(loaded, catalog, *choices);
    findings.insert(findings.end(), more.begin(), more.end());
    std::erase_if(findings, [](const Finding& each) { return each.severity != Severity::error; });
    if (!findings.empty()) {
        print_findings(host.err, findings, loaded.bundle);
        return std::nullopt;
    }
    auto compiled = scenario::compile(loaded.scenario, *choices, catalog);
    if (!compiled) {
        report(host, compiled.error());
        return std::nullopt;
    }
    return *std::move(compiled);
}

Command scenario_command() {
    Command group{
        .text = {
            .name = "scenario",
            .summary = "make scenarios, check them, look at them and try their templates",
            .description =
                "A scenario is a folder with scenario.yaml in it, or one file: bees, the queues "
                "between them, what happens when, and what must hold. Nothing runs here.\n\n"
                "Exit codes: 0 it is sound, 2 something must be changed.",
            .examples = {
                {"hive scenario new shop", "one to begin with"},
                {"hive scenario validate scenarios/hello", "everything that is wrong, at once"},
                {"hive scenario show scenarios/hello", "its bees and the queues between them"},
                {"hive scenario render scenarios/hello --bee generator", "what a bee would send"},
                {"hive scenario reference", "every setting of every bee"}}}};
    group.children.push_back(scenario_new_command());
    group.children.push_back(scenario_import_command());
    group.children.push_back(scenario_validate_command());
    group.children.push_back(scenario_show_command());
    group.children.push_back(scenario_render_command());
    group.children.push_back(scenario_reference_command());
    group.children.push_back(scenario_schema_command());
    return group;
}

} // namespace hive::cli

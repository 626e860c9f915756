#pragma once

#include "cli/command.hpp"
#include "kernel/config.hpp"
#include "scenario/compile.hpp"
#include "scenario/load.hpp"

#include <string>
#include <vector>

namespace hive::cli {

// What `hive scenario` consists of; each is defined in the file named after it.
Command scenario_new_command();
Command scenario_import_command();
Command scenario_validate_command();
Command scenario_show_command();
Command scenario_render_command();
Command scenario_reference_command();
Command scenario_schema_command();

// Which scenario, and how the choices that it leaves open are made.
struct ScenarioOptions {
    FilePath path{};
    std::string sut{};
    std::string profile{};
    std::vector<std::string> endpoints{}; // name=URL
    std::vector<std::string> set{};       // bee.setting=value
};
void declare_scenario_options(OptionTable& table, ScenarioOptions& options);

Result<scenario::Choices> choices_of(const ScenarioOptions& options);

// Findings for people, each with its line; where `to` is the standard error or output.
void print_findings(
    std::ostream& to, const std::vector<Finding>& findings, const scenario::Bundle& bundle);

// Loaded and validated; none after the findings were told.
std::optional<scenario::Compiled> compile_scenario(Host& host, const ScenarioOptions& options);

} // namespace hive::cli

#include "cli/exit_code.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_commands.hpp"
#include "kernel/json_layout.hpp"
#include "scenario/capabilities.hpp"
#include "scenario/schema.hpp"

namespace hive::cli {
namespace {

struct ScenarioSchemaOptions {
    bool capabilities = false;
};

void declare_scenario_schema(OptionTable& table, ScenarioSchemaOptions& options) {
    table.add_flag("capabilities", options.capabilities)
        .help("instead of the schema: every setting of every bee, for programs");
}

int run_scenario_schema(ScenarioSchemaOptions& options, Call& call) {
    const auto catalog = scenario_catalog();
    call.host.out << laid_out(
        options.capabilities ? scenario::capabilities_of(catalog) : scenario::schema_of(catalog));
    return exit_ok;
}

} // namespace

Command scenario_schema_command() {
    return make_command<ScenarioSchemaOptions>(
        {.name = "schema",
         .summary = "print the JSON Schema of scenario.yaml",
         .description =
             "For editors: completion, help at the cursor, and most of what is wrong while it is "
             "typed. It comes from the declarations that the bees themselves read. "
             "docs/guides/scenarios.md says how an editor is told of it.",
         .examples =
             {{"hive scenario schema > scenario.schema.json", "beside your scenarios"},
              {"hive scenario schema --capabilities", "every setting, for programs"}}},
        declare_scenario_schema, run_scenario_schema);
}

} // namespace hive::cli

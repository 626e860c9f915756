#include "cli/running_scenarios.hpp"

#include "api/rest/scenario_change.hpp"
#include "api/rest/scenario_routes.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_rendering.hpp"

namespace hive::cli {

Result<std::unique_ptr<scenario::Shelf>> open_scenarios(const ServerConfig& config) {
    return scenario::Shelf::open(
        config.scenarios ? config.scenarios->text : config.data.text + "/scenarios",
        scenario_catalog(config.swarm.components));
}

void offer_scenarios(scenario::Shelf& shelf, const Clock& clock, rest::HiveParts& parts) {
    parts.more.push_back(
        rest::scenario_routes({shelf, [&clock](const auto& compiled, const auto& sample) {
                                   return render_sample(compiled, sample, clock);
                               }}));
    rest::add_scenario_schemas(parts.schemas);
    parts.snapshots.push_back(rest::scenario_snapshot(shelf));
    parts.chores.push_back(rest::scenario_watch(shelf));
}

} // namespace hive::cli

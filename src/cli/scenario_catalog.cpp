#include "cli/scenario_catalog.hpp"

#include "cli/components.hpp"

namespace hive::cli {

scenario::Catalog scenario_catalog(const ComponentConfig& config) {
    scenario::Catalog catalog;
    for (const auto& [role, program] : config.programs) catalog[role] = {};
    for (worker::BeeKind& kind : every_kind_of_bee(config)) {
        scenario::Capability capability{.problems = kind.problems};
        if (kind.fields) capability.fields = kind.fields();
        catalog[kind.role] = std::move(capability);
    }
    return catalog;
}

} // namespace hive::cli

#include "scenario/validate.hpp"

#include "scenario/checks.hpp"
#include "scenario/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::scenario {
namespace {

void collect_endpoints(const json::value& value, std::set<std::string>& names) {
    if (const auto* object = value.if_object()) {
        for (const auto& member : *object) collect_endpoints(member.value(), names);
    } else if (const auto* array = value.if_array()) {
        for (const auto& each : *array) collect_endpoints(each, names);
    } else if (value.is_string()) {
        for (const Reference& each : references_in(std::string_view{value.get_string()})) {
            if (each.kind == Reference::Kind::endpoint) names.insert(each.name);
        }
    }
}

// What is not chosen now may be chosen next time.
void check_other_suts(const Chosen& chosen, Checking& checking) {
    std::set<std::string> names;
    for (const Bee& bee : checking.loaded.scenario.bees) collect_endpoints(bee.config, names);
    for (const auto& [id, sut] : checking.loaded.scenario.suts) {
        if (id == chosen.sut) continue;
        Report report{sut.file, checking.findings};
        for (const std::string& name : names) {
            if (sut.endpoints.contains(name)) continue;
            report.warning(
                {.code = "sut-lacks-endpoint",
                 .at = {1, 1},
                 .key = "endpoints",
                 .message = fmt::format("has no endpoint '{}', which the bees refer to", name),
                 .hint = "add it, or the scenario cannot run with this environment"});
        }
    }
}

void override_with(const std::vector<std::string>& overrides, Scenario& scenario, Report& report) {
    for (const std::string& each : overrides) {
        std::vector<Overridden> bees;
        for (Bee& bee : scenario.bees) bees.push_back({bee, bee.config});
        if (auto ok = apply_override(each, bees); !ok) {
            report.error(
                {.code = "bad-choice",
                 .message = ok.error().detail,
                 .hint = "name a bee by its id, a dot, and a setting as its config has it"});
        }
    }
}

} // namespace

std::vector<Finding> validate(const Loaded& given, const Catalog& catalog, const Choices& choices) {
    std::vector<Finding> findings;
    if (given.scenario.bees.empty()) return findings;
    Report report{given.scenario.file, findings};
    Loaded changed;
    if (!choices.overrides.empty()) {
        changed = given;
        override_with(choices.overrides, changed.scenario, report);
    }
    const Loaded& loaded = choices.overrides.empty() ? given : changed;
    auto chosen = choose(loaded.scenario, with_first(loaded.scenario, choices));
    if (!chosen) {
        // A required variable without a value has a finding of its own.
        const bool told = has_errors(loaded.findings);
        if (!told) report.error({.code = "bad-choice", .message = chosen.error().detail});
        chosen = Chosen{};
    }
    Checking checking{loaded, catalog, chosen->values, findings, report};
    std::vector<json::object> configs;
    for (const Bee& bee : loaded.scenario.bees) configs.push_back(check_bee(bee, checking));
    check_plan(configs, checking);
    check_guards(configs, checking);
    check_other_suts(*chosen, checking);
    complete(findings, loaded.scenario.file);
    sort_by_place(findings);
    // Two bees with the same folder of calls have the same findings.
    const auto twins = std::ranges::unique(findings);
    findings.erase(twins.begin(), twins.end());
    return findings;
}

} // namespace hive::scenario

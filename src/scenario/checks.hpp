#pragma once

#include "scenario/choice.hpp"
#include "scenario/report.hpp"
#include "scenario/validate.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// What the checks of validate() share.
struct Checking {
    const Loaded& loaded;
    const Catalog& catalog;
    const Values& values;
    std::vector<Finding>& findings;
    Report& report; // of the scenario's own file
};

const Capability* capability_of(const Bee& bee, const Catalog& catalog);
std::string path_of_config(const Bee& bee); // for findings

// A bee's configuration with everything put in; the setting is left out where a finding was made.
json::object check_bee(const Bee& bee, Checking& checking);

// Texts that are rendered for each item. Those that do not compile become empty, so that whoever
// looks at the configuration next does not say it again.
void check_templates(const Bee& bee, json::object& config, Checking& checking);
// The calls below a folder of the bundle; whether all of them compile.
bool check_calls(const std::string& folder, Checking& checking);

void check_plan(const std::vector<json::object>& configs, Checking& checking);
void check_guards(const std::vector<json::object>& configs, Checking& checking);

} // namespace hive::scenario

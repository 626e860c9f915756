#pragma once

#include "kernel/json.hpp"
#include "kernel/yaml.hpp"
#include "scenario/report.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::scenario {

// The configuration of a bee in one level, whichever public generation wrote it: what is below
// `worker` comes up, older names become ours, and what means nothing here is left out with a
// warning. `path` is where it stands.
json::object shape_config(const YamlNode& written, const std::string& path, Report& report);

// Settings of public scenarios that are read and do nothing here, or have another name: their path
// and what there is to say of them.
std::vector<std::pair<std::string_view, std::string>> settings_without_meaning();

} // namespace hive::scenario

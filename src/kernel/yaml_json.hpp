#pragma once

#include "kernel/json.hpp"
#include "kernel/yaml.hpp"

namespace hive {

// Plain words become what YAML's core schema says: numbers, true, false, null; all else is text.
json::value to_json(const YamlNode& node);

} // namespace hive

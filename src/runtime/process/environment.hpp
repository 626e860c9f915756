#pragma once

#include <map>
#include <string>
#include <vector>

namespace hive::runtime::process {

using Environment = std::map<std::string, std::string>;

// What a component gets of our own environment: where programs and certificates are, language, how
// to log, and settings of sanitizers. Nothing else, since the rest may hold secrets of the server.
Environment base_environment();

// `NAME=value` each; `more` wins.
std::vector<std::string> merge(Environment base, const Environment& more);

} // namespace hive::runtime::process

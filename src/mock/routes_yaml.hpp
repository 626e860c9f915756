#pragma once

#include "kernel/finding.hpp"
#include "kernel/yaml.hpp"
#include "mock/settings.hpp"

#include <string>
#include <vector>

namespace hive::mock {

// The `routes` of a file: a list of mappings with `path`, `method`, `status` (one or a list, used
// in turn), `body`, `content-type`, `delay`, `error-ratio`, `error-status`, `reset-ratio`,
// `silent-ratio`, `truncate-ratio` and `lie-ratio`; what is left out is as in `usual`.
std::vector<Route> read_routes(
    const YamlNode& routes, const Behaviour& usual, std::string_view file,
    std::vector<Finding>& findings);

} // namespace hive::mock

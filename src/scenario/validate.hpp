#pragma once

#include "scenario/compile.hpp"
#include "scenario/load.hpp"

#include <vector>

namespace hive::scenario {

// Everything beyond structure: roles, configurations, references and templates, as they would be
// with these choices. What is not chosen is taken as the first there is.
std::vector<Finding>
validate(const Loaded& loaded, const Catalog& catalog, const Choices& choices = {});

} // namespace hive::scenario

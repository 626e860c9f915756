#pragma once

#include "kernel/config.hpp"
#include "kernel/finding.hpp"
#include "kernel/secret.hpp"

#include <vector>

namespace hive {

// Reads the options of `table` that have a file key from a YAML text. Each section and key must be
// known; a value with a problem leaves its option untouched.
void load_file(
    OptionTable& table, const SourceText& file, const SecretSources& secrets,
    std::vector<Finding>& findings);

} // namespace hive

#pragma once

#include "tests/tidy/source_tree.hpp"

#include <string>
#include <vector>

namespace hive::tidy {

// What breaks a rule of docs/ARCHITECTURE.md or CONTRIBUTING.md, as `path:line: sentence`.
using Violations = std::vector<std::string>;

Violations folders_off_the_map(const SourceTree& tree);
Violations includes_against_the_map(const SourceTree& tree);
Violations folder_cycles(const SourceTree& tree);
Violations outside_headers_in_the_core(const SourceTree& tree);
Violations clocks_and_chance_in_pure_code(const SourceTree& tree);
Violations wide_ports(const SourceTree& tree);
Violations forbidden_names(const SourceTree& tree);
Violations files_and_lines_too_long(const SourceTree& tree);
Violations headers_without_guard(const SourceTree& tree);
Violations headers_that_lean_on_others(const SourceTree& tree);
Violations sources_that_lean_on_others(const SourceTree& tree);
Violations folders_without_readme(const SourceTree& tree);
Violations tests_without_source(const SourceTree& tree);

} // namespace hive::tidy

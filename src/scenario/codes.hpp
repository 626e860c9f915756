#pragma once

#include "kernel/finding.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace hive::scenario {

// The stable words that findings of a scenario have; docs/guides/scenario-findings.md shows them.
struct CodeInfo {
    std::string_view code;
    std::string_view means;
    std::string_view fix; // what to do about it, where whoever finds it knows nothing better
};

std::span<const CodeInfo> all_codes();
bool is_known_code(std::string_view code);

// Every finding says what to do and, within `file`, where: at its beginning when nothing is nearer.
void complete(std::vector<Finding>& findings, std::string_view file);

} // namespace hive::scenario

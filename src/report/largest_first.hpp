#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hive::report {

// Counts as people want to see them; those that are equal stay in the order of their names.
inline std::vector<std::pair<std::string, std::uint64_t>>
largest_first(const std::map<std::string, std::uint64_t>& counts) {
    std::vector<std::pair<std::string, std::uint64_t>> rows{counts.begin(), counts.end()};
    std::ranges::sort(rows, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return rows;
}

} // namespace hive::report

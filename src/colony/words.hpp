#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony {

using Words = std::vector<std::string>; // tags, skills, ids

inline bool has(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}
inline bool has_all(const Words& words, const Words& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& word) { return has(words, word); });
}

} // namespace hive::colony

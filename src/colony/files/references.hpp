#pragma once

#include "colony/words.hpp"

#include <string>
#include <string_view>

namespace hive::colony::files {

// What a task waits for, as people write it: `None`, `TASK-002-011, 012, 014` (the prefix left out
// later), `TASK-7 (needs its schema)`. Prose without a name of a task is none.
Words dependencies_in(std::string_view text);

std::string without_parentheses(std::string_view text);

// Stems of the task files whose paths stand in a text.
Words cited_tasks(std::string_view text);

// How much two titles have in common, 0 to 1: shared words of all their words (Jaccard).
double likeness(std::string_view a, std::string_view b);
inline constexpr double likeness_min = 0.34;

} // namespace hive::colony::files

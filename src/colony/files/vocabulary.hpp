#pragma once

#include "colony/tasks/state.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::files {

// What a status says, by an ordered table of words: the first that fits decides. Emoji count.
std::optional<tasks::State> state_in(std::string_view text);

// 0 to 4: a `P<n>` anywhere wins, else words of urgency.
std::optional<int> priority_in(std::string_view text);

std::optional<int> numbered_priority_in(std::string_view text); // only `P<n>`

// The kind of note at the start of what follows the agents in a name: TASK, CLAIM, HUMAN-INTERJECT.
struct Kind {
    std::string word; // upper case
    std::size_t length = 0;
};
std::optional<Kind> kind_at_start(std::string_view text);

// `TASK-002-017`, `BACKLOG-007`: the first in the text.
std::string task_id_in(std::string_view text);

} // namespace hive::colony::files

#pragma once

#include "colony/files/aliases.hpp"
#include "colony/files/zone.hpp"
#include "colony/tasks/state.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::files {

// What the name of a file says. Agents have hyphens in them, so a name cannot be split: the longest
// known agent is taken from the left, then a kind of note, and the rest is the subject.
struct NameParts {
    std::optional<When> when{};
    std::string from{};
    std::string to{};
    std::string kind{};
    std::string subject{};
    std::optional<int> priority{};
    std::string task_id{};
    std::optional<tasks::State> state{}; // by its last words: `-failed`, `-COMPLETE`
};
NameParts parts_of(std::string_view stem, const Aliases& aliases, const Zone& zone);

} // namespace hive::colony::files

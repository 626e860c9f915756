#pragma once

#include "colony/files/intake.hpp"

namespace hive::colony::files {

// In the details of what is said about a new task: its file says it already.
inline constexpr std::string_view in_step = "inStep";

// A file that somebody wrote: the task begins as the file says, with the file's own time.
Outcome<tasks::Task> adopt(Colony& colony, const Incoming& incoming);

// A file that the hive wrote, and a colony that does not know the task: it lost its memory.
Outcome<tasks::Task> restore(Colony& colony, const Incoming& incoming);

// Where a file lies overrules what it says: moving it is how bees close and reopen tasks.
// `from`: where it was before.
tasks::State
state_by_place(const Document& document, tasks::State said, const std::optional<Place>& from);

} // namespace hive::colony::files

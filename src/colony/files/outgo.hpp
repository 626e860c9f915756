#pragma once

#include "colony/files/aliases.hpp"
#include "colony/files/document.hpp"
#include "colony/files/notes.hpp"
#include "colony/files/task_file.hpp"
#include "colony/files/zone.hpp"
#include "colony/tasks/task.hpp"

#include <optional>
#include <string>

namespace hive::colony::files {

// What the writer knows besides the task.
struct Desk {
    const Aliases& aliases;
    const Zone& zone;
    const Refs& refs; // of the tasks it depends on
};

// Where the file of a task belongs: an archive when it is over, else where it is, unless that is an
// archive or the inbox of a bee that has nothing to do with it. `now`: empty when it has none.
std::string path_for(const tasks::Task& task, const std::string& now, const Desk& desk);

// Does this file say what the colony does? One that somebody wrote stays as it is while it does.
bool says(const Document& file, const tasks::Task& task);
bool is_in_step(const Document& file, const tasks::Task& task, const Desk& desk); // and lies right

// The file to write; nothing when the one there is right. `file`: the one there.
std::optional<Written>
outgo_of(const tasks::Task& task, const std::optional<Document>& file, const Desk& desk);

} // namespace hive::colony::files

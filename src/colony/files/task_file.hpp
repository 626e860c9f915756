#pragma once

#include "colony/files/zone.hpp"
#include "colony/tasks/task.hpp"
#include "kernel/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::files {

// The canonical file of a task: front matter with everything there is to know, a block of bold
// headers as bees have always read them, and the description as it is.
//
// Both blocks say the same when the hive writes them. Somebody who edits the file edits one of
// them: `seal` tells which, it fits the front matter only as it was written.
using Refs = std::map<std::string, std::string, std::less<>>; // of tasks by id
std::string write_task(const tasks::Task& task, const Refs& refs = {});

// Nothing but what write_task() wrote, edited or not, is read; the error says what is wrong.
bool is_task_file(std::string_view text);
struct TaskFile {
    tasks::Task said; // with what somebody edited
    // As the hive wrote it: what an edit is compared with, however old the file is that somebody
    // edited. None when the front matter itself was edited.
    std::optional<tasks::Task> written{};
    bool description_edited = false;
};
Result<TaskFile> read_task_file(std::string_view text);
Result<tasks::Task> read_task(std::string_view text); // what it says

// `2025-10-28-194501-alice-BEE-001-TASK-measure-the-checkout-0f6d2a11.md`: a second and a part of
// the id, so that two never collide; bees look for `-<bee>-` in it.
std::string task_file_name(const tasks::Task& task, const Zone& zone);

// What of a task a file cannot change and does not keep.
tasks::Task without_place(tasks::Task task); // where its file is

} // namespace hive::colony::files

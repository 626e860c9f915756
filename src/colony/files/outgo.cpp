#include "colony/files/outgo.hpp"

#include "colony/files/intake_task.hpp"
#include "colony/files/place.hpp"

#include <fmt/format.h>

namespace hive::colony::files {
namespace {

using tasks::State;
using tasks::Task;

// Waiting is pending to those who read files: nobody has it.
State as_seen(State state) {
    return state == State::waiting ? State::pending : state;
}

} // namespace

std::string path_for(const Task& task, const std::string& now, const Desk& desk) {
    if (now.empty()) {
        return fmt::format(
            "{}/{}", is_over(task.state) ? archive_directory : tasks_directory,
            task_file_name(task, desk.zone));
    }
    const Place place = place_of(now);
    if (is_over(task.state)) {
        return place.archived ? now : fmt::format("{}/{}", archive_directory, place.name);
    }
    const std::string open = fmt::format("{}/{}", tasks_directory, place.name);
    if (place.archived) return open;
    if (place.inbox.empty()) return now;
    const std::string bee = desk.aliases.resolve(place.inbox);
    const bool theirs = bee == task.assigned_to || (task.lease && task.lease->holder == bee);
    // In a directory that stands for no bee it was put by somebody, and stays.
    const bool addressed = task.assigned_to.empty() && !task.lease;
    return theirs || (addressed && !desk.aliases.at_start(place.inbox)) ? now : open;
}

bool says(const Document& file, const Task& task) {
    if (file.task) return *file.task == without_place(task);
    const Task said = task_in(file, task);
    State state = said.state;
    if (file.place.archived && !is_over(state)) state = State::completed;
    return said.title == task.title && said.description == task.description &&
           said.priority == task.priority && said.assigned_to == task.assigned_to &&
           as_seen(state) == as_seen(task.state);
}

bool is_in_step(const Document& file, const Task& task, const Desk& desk) {
    return path_for(task, file.path, desk) == file.path && says(file, task);
}

std::optional<Written>
outgo_of(const Task& task, const std::optional<Document>& file, const Desk& desk) {
    if (file && is_in_step(*file, task, desk)) return std::nullopt;
    return Written{
        path_for(task, file ? file->path : std::string{}, desk),
        write_task(without_place(task), desk.refs)};
}

} // namespace hive::colony::files

#pragma once

#include "colony/files/intake.hpp"

namespace hive::colony::files {

// A task's file that is new or changed. `before`: what is known of a file at this path.
Outcome<Taken>
take_task(Colony& colony, const Incoming& incoming, const std::optional<FileRow>& before);

// A task as its file says it. What a file that the hive did not write leaves open is taken from
// `otherwise`, such as the task as both sides last had it.
tasks::Task task_in(const Document& document, const tasks::Task& otherwise);

// `TASK-002-017`: what the file that it came from calls it besides its ref; often nothing.
std::string called_besides(const tasks::Task& task);

} // namespace hive::colony::files

#pragma once

#include "colony/tasks/task.hpp"

namespace hive::colony::tasks {

// With everything but the token of its lease, which only its holder gets.
enum class LeaseToken : bool { hidden, shown };
json::object to_json(const Task& task, LeaseToken token = LeaseToken::hidden);

// As the store keeps it: what was written by to_stored() reads back equal.
std::string to_stored(const Task& task);
Result<Task> from_stored(std::string_view text);

} // namespace hive::colony::tasks

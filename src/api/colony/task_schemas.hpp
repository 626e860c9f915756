#pragma once

#include "kernel/json.hpp"

namespace hive::rest {

// Task, NewTask, TaskChanges, ... as routes refer to them.
void add_task_schemas(json::object& schemas);

json::object example_task();

} // namespace hive::rest

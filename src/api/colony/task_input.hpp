#pragma once

#include "colony/tasks/creating.hpp"
#include "colony/tasks/working.hpp"
#include "kernel/json.hpp"

namespace hive::rest {

// Bodies of requests about tasks, which their schemas have checked.
Result<colony::tasks::NewTask> new_task_in(const json::object& body);
Result<colony::tasks::Changes> changes_in(const json::object& body);
Result<colony::tasks::Terms> terms_in(const json::object& body);
Result<colony::tasks::Wish> wish_in(const json::object& body);
colony::tasks::Report report_in(const json::object& body);
colony::tasks::Failure failure_in(const json::object& body);

} // namespace hive::rest

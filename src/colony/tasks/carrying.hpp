#pragma once

#include "colony/tasks/working.hpp"

namespace hive::colony::tasks {

// What moves say of themselves when a rule holds them back; enough to make them later.
json::object stored(const Terms& terms);
json::object stored(const Report& report);
json::object stored(const Failure& failure);
json::object stored(const std::string& why);

// Makes a move that was held back, as whoever asked for it: the bench is theirs, its gate open. A
// completion under review is approved by steering.hpp instead.
Outcome<Task> carry_out(Bench& bench, const Act& act);

} // namespace hive::colony::tasks

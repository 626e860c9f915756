#pragma once

#include "colony/tasks/bench.hpp"

#include <string>
#include <string_view>

namespace hive::colony::tasks {

// What people do with tasks, and bees with those they made. `why` goes into the audit log.
Outcome<Task> unblock(Bench& bench, std::string_view id, const std::string& why);
Outcome<Task> cancel(Bench& bench, std::string_view id, const std::string& why);
// Once more from the beginning, with all its attempts.
Outcome<Task> redrive(Bench& bench, std::string_view id, const std::string& why);
Outcome<Task> reopen(Bench& bench, std::string_view id, const std::string& why);

// A task that somebody works on must not go on: as block(), by nobody who holds it. One that nobody
// holds stays as it is.
Outcome<Task> suspend(Bench& bench, std::string_view id, const std::string& why);

// The end of a review.
Outcome<Task> approve(Bench& bench, std::string_view id, const std::string& why);
Outcome<Task> reject(Bench& bench, std::string_view id, const std::string& why);

// What time does, a bounded part at a time; safe to repeat.
Outcome<std::size_t> lapse_leases(Bench& bench, std::size_t limit); // how many there were
Outcome<std::size_t> wake_due(Bench& bench, std::size_t limit);

} // namespace hive::colony::tasks

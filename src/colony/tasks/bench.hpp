#pragma once

#include "colony/gate.hpp"
#include "colony/moment.hpp"
#include "colony/refusal.hpp"
#include "colony/tasks/repository.hpp"
#include "colony/tasks/zones.hpp"

#include <string>
#include <string_view>

namespace hive::colony::tasks {

// What every act on tasks works with. Lives as long as the unit of work.
struct Bench {
    TaskBook book;
    Gate& gate;
    Moment& moment;
    Zones* zones = nullptr; // none: only UTC is known

    const Actor& actor() const noexcept { return moment.actor(); }
    Timestamp now() const noexcept { return moment.now(); }
};

// Used by the acts; each says what went wrong as whoever asked should read it.
Outcome<Task> find_task(const Bench& bench, std::string_view id_or_ref);
Outcome<void> step(Task& task, Move move, State to);
Outcome<void> save(Bench& bench, Task& task);
Refusal illegal_move(const Task& task, Move move);

// `task.<what>`, to subscribers and into the audit log, with where the task came from.
struct Said {
    std::string_view what;
    State before;
    json::object more{};
};
void say(Bench& bench, const Task& task, Said said);

// A move as rules see it; the facts `note` and `content` are for those who decide.
Act act_on(const Task& task, Move move, json::object command);
// Does a rule hold the move back? Then its request is made, and the task stays as it is.
Outcome<bool> is_held(Bench& bench, const Task& task, Move move, json::object command);

// People may steer any task; a bee those it made or holds.
Outcome<void> check_steering(const Bench& bench, const Task& task);

// Ends the lease and writes down how the attempt went.
void end_attempt(const Bench& bench, Task& task, std::string_view how, std::string_view error = {});

// Where it goes when nothing but its dependencies and its time hold it.
State open_state(const Task& task, Timestamp now) noexcept;

// Empty is UTC.
Outcome<std::shared_ptr<const TimeZone>> find_zone(const Bench& bench, std::string_view name);

// For what follows from a task's end: those that waited for it, and the next one like it.
Outcome<void> after_completion(Bench& bench, const Task& task);
Outcome<void> after_reopening(Bench& bench, const Task& task);
Outcome<void> repeat(Bench& bench, const Task& task);

} // namespace hive::colony::tasks

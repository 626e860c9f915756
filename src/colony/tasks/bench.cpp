#include "colony/tasks/bench.hpp"

#include "colony/stored.hpp"
#include "colony/tasks/schedule.hpp"
#include "kernel/uuid.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::tasks {
namespace {

json::array names_of(const std::vector<Move>& moves) {
    json::array names;
    for (const Move move : moves) names.emplace_back(name_of(move));
    return names;
}

} // namespace

Outcome<Task> find_task(const Bench& bench, std::string_view id_or_ref) {
    auto found = bench.book.search.find(id_or_ref);
    if (!found) return refuse(found.error());
    if (!*found) {
        return refuse(
            Errc::not_found, "no-such-task", fmt::format("there is no task '{}'", id_or_ref));
    }
    return **std::move(found);
}

Refusal illegal_move(const Task& task, Move move) {
    std::string detail = fmt::format("{} is {}", task.ref, name_of(task.state));
    if (task.lease) detail += " by " + task.lease->holder;
    return {
        Errc::conflict,
        "illegal-move",
        fmt::format("{}: it cannot {} now", detail, name_of(move)),
        {{"state", name_of(task.state)}, {"allowed", names_of(moves_from(task.state))}}};
}

Outcome<void> step(Task& task, Move move, State to) {
    if (!can(task.state, move, to)) return refuse(illegal_move(task, move));
    task.state = to;
    return {};
}

Outcome<void> save(Bench& bench, Task& task) {
    task.changed = bench.now();
    ++task.revision;
    const auto saved = bench.book.records.update(task);
    if (!saved) return refuse(saved.error());
    if (!*saved) {
        return refuse(
            Errc::conflict, "changed-meanwhile",
            fmt::format("{} was changed at the same time; look at it and try again", task.ref));
    }
    return {};
}

void say(Bench& bench, const Task& task, Said said) {
    json::object told = std::move(said.more);
    told["task_id"] = task.id;
    told["ref"] = task.ref;
    told["title"] = task.title;
    told["state"] = name_of(task.state);
    told["priority"] = task.priority;
    told["revision"] = task.revision;
    put(told, "assigned_to", task.assigned_to);
    put(told, "tags", task.tags);
    put(told, "skills", task.skills);
    if (task.lease) told["bee"] = task.lease->holder;
    bench.moment.say(
        {.type = fmt::format("task.{}", said.what),
         .entity_type = "task",
         .entity_id = task.id,
         .told = std::move(told),
         .details = {{"before", name_of(said.before)}},
         .words = {task.ref}});
}

Act act_on(const Task& task, Move move, json::object command) {
    json::object facts{
        {"ref", task.ref},
        {"title", task.title},
        {"priority", task.priority},
        {"tags", json::value_from(task.tags)}};
    for (const auto* note : {"note", "error"}) {
        if (command.contains(note)) facts["note"] = command.at(note);
    }
    if (command.contains("result")) facts["content"] = command.at("result");
    return {
        .what = fmt::format("task.{}", name_of(move)),
        .entity_type = "task",
        .entity_id = task.id,
        .facts = std::move(facts),
        .command = std::move(command)};
}

Outcome<bool> is_held(Bench& bench, const Task& task, Move move, json::object command) {
    const auto cares = bench.gate.cares(fmt::format("task.{}", name_of(move)));
    if (!cares) return refuse(cares.error());
    if (!*cares) return false;
    return colony::is_held(bench.gate, act_on(task, move, std::move(command)), bench.moment);
}

Outcome<void> check_steering(const Bench& bench, const Task& task) {
    const Actor& actor = bench.actor();
    const bool own = task.created_by == actor.id || (task.lease && task.lease->holder == actor.id);
    if (actor.role != accounts::Role::bee || own) return {};
    return refuse(
        Errc::denied, "not-yours",
        fmt::format("{} may steer only tasks that it made or holds; ask a person", actor.id));
}

void end_attempt(const Bench& bench, Task& task, std::string_view how, std::string_view error) {
    if (!task.lease) return;
    const auto attempt = std::ranges::find(task.history, task.lease->token, &Attempt::token);
    if (attempt != task.history.end()) {
        attempt->ended = bench.now();
        attempt->end = how;
        attempt->error = error;
    }
    task.lease.reset();
}

State open_state(const Task& task, Timestamp now) noexcept {
    const bool held = !task.unmet.empty() || (task.not_before && *task.not_before > now);
    return held ? State::waiting : State::pending;
}

Outcome<void> after_completion(Bench& bench, const Task& task) {
    auto waiting = bench.book.search.dependents(task.id);
    if (!waiting) return refuse(waiting.error());
    if (waiting->empty()) return {};
    auto others = bench.book.search.find_all(*waiting);
    if (!others) return refuse(others.error());
    for (Task& other : *others) {
        if (std::erase(other.unmet, task.id) == 0) continue;
        const State before = other.state;
        const bool ready =
            other.state == State::waiting && open_state(other, bench.now()) == State::pending;
        if (ready) {
            if (auto ok = step(other, Move::ready, State::pending); !ok) return ok;
        }
        if (auto ok = save(bench, other); !ok) return ok;
        if (ready) say(bench, other, {"ready", before, {{"after", task.ref}}});
    }
    return {};
}

Outcome<void> after_reopening(Bench& bench, const Task& task) {
    auto dependents = bench.book.search.dependents(task.id);
    if (!dependents) return refuse(dependents.error());
    if (dependents->empty()) return {};
    auto others = bench.book.search.find_all(*dependents);
    if (!others) return refuse(others.error());
    for (Task& other : *others) {
        if (is_over(other.state) || has(other.unmet, task.id)) continue;
        other.unmet.push_back(task.id);
        const State before = other.state;
        // What somebody has begun goes on; the rest waits again.
        const bool waits = other.state == State::pending;
        if (waits) {
            if (auto ok = step(other, Move::wait, State::waiting); !ok) return ok;
        }
        if (auto ok = save(bench, other); !ok) return ok;
        if (waits) say(bench, other, {"waiting", before, {{"on", task.ref}}});
    }
    return {};
}

Outcome<std::shared_ptr<const TimeZone>> find_zone(const Bench& bench, std::string_view name) {
    if (name.empty() || name == "UTC") return std::make_shared<const TimeZone>();
    if (bench.zones == nullptr) {
        return refuse(
            Errc::unavailable, "no-time-zones", "this server knows no time zones but UTC");
    }
    auto zone = bench.zones->find(name);
    if (zone) return *std::move(zone);
    return refuse(zone.error().code, "bad-time-zone", zone.error().detail);
}

Outcome<void> repeat(Bench& bench, const Task& task) {
    if (task.repeat.empty()) return {};
    const auto schedule = Schedule::parse(task.repeat);
    if (!schedule) return refuse(schedule.error());
    // A zone that is gone since the task was made must not keep it from ending.
    const auto zone = find_zone(bench, task.time_zone);
    const auto due = schedule->next_after(bench.now(), zone ? **zone : TimeZone{});
    if (!due) return {};
    const auto number = bench.book.records.next_numbers(1);
    if (!number) return refuse(number.error());
    Task next{
        .id = make_ordered_uuid(bench.now(), bench.moment.random()),
        .ref = fmt::format("TASK-{}", *number),
        .title = task.title,
        .description = task.description,
        .state = State::waiting,
        .priority = task.priority,
        .tags = task.tags,
        .skills = task.skills,
        .assigned_to = task.assigned_to,
        .created_by = task.created_by,
        .created = bench.now(),
        .changed = bench.now(),
        .not_before = due,
        .repeat = task.repeat,
        .time_zone = task.time_zone,
        .unique_key = task.unique_key,
        .attachments = task.attachments,
        .metadata = task.metadata,
        .retry = task.retry};
    if (!zone) next.note = fmt::format("due by UTC: {}", zone.error().detail);
    if (auto ok = bench.book.records.insert({&next, 1}); !ok) return refuse(ok.error());
    say(bench, next, {"created", next.state, {{"after", task.ref}}});
    return {};
}

} // namespace hive::colony::tasks

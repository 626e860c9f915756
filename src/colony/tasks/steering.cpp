#include "colony/tasks/steering.hpp"

#include "colony/tasks/carrying.hpp"

namespace hive::colony::tasks {
namespace {

// A task that this caller may steer and that can make the move, if no rule holds it back.
struct Steered {
    Task task;
    bool held = false;
};
Outcome<Steered> steered(Bench& bench, std::string_view id, Move move, const std::string& why) {
    auto task = find_task(bench, id);
    if (!task) return refuse(task.error());
    if (auto ok = check_steering(bench, *task); !ok) return refuse(ok.error());
    if (!can(task->state, move)) return refuse(illegal_move(*task, move));
    const auto held = is_held(bench, *task, move, stored(why));
    if (!held) return refuse(held.error());
    return Steered{*std::move(task), *held};
}

// With why: to everyone, and as the last word about the task.
Outcome<void> saved(Bench& bench, Task& task, Said said, const std::string& why) {
    if (!why.empty()) task.note = why;
    if (auto ok = save(bench, task); !ok) return ok;
    said.more["note"] = why;
    say(bench, task, std::move(said));
    return {};
}

void begin_again(Task& task) {
    task.attempts = 0;
    task.error.clear();
    task.outcome.clear();
    task.percent.reset();
    task.completed_at.reset();
    task.approval.clear();
    task.not_before.reset();
}

} // namespace

Outcome<Task> unblock(Bench& bench, std::string_view id, const std::string& why) {
    auto found = steered(bench, id, Move::unblock, why);
    if (!found) return refuse(found.error());
    if (found->held) return std::move(found->task);
    Task& task = found->task;
    const State before = task.state;
    if (auto ok = step(task, Move::unblock, open_state(task, bench.now())); !ok) {
        return refuse(ok.error());
    }
    task.outcome.clear();
    if (auto ok = saved(bench, task, {"unblocked", before}, why); !ok) return refuse(ok.error());
    return std::move(task);
}

Outcome<Task> cancel(Bench& bench, std::string_view id, const std::string& why) {
    auto found = steered(bench, id, Move::cancel, why);
    if (!found) return refuse(found.error());
    if (found->held) return std::move(found->task);
    Task& task = found->task;
    const State before = task.state;
    if (auto ok = step(task, Move::cancel, State::cancelled); !ok) return refuse(ok.error());
    end_attempt(bench, task, "cancelled", why);
    task.completed_at = bench.now();
    if (auto ok = saved(bench, task, {"cancelled", before}, why); !ok) return refuse(ok.error());
    return std::move(task);
}

Outcome<Task> redrive(Bench& bench, std::string_view id, const std::string& why) {
    auto found = steered(bench, id, Move::redrive, why);
    if (!found) return refuse(found.error());
    if (found->held) return std::move(found->task);
    Task& task = found->task;
    if (!task.unique_key.empty()) {
        auto twin = bench.book.search.with_unique_key(task.unique_key);
        if (!twin) return refuse(twin.error());
        if (*twin) {
            return refuse(
                Errc::conflict, "duplicate",
                (*twin)->ref + " has the same unique key and is not over", {{"task", (*twin)->id}});
        }
    }
    const State before = task.state;
    begin_again(task);
    if (auto ok = step(task, Move::redrive, open_state(task, bench.now())); !ok) {
        return refuse(ok.error());
    }
    if (auto ok = saved(bench, task, {"redriven", before}, why); !ok) return refuse(ok.error());
    return std::move(task);
}

Outcome<Task> reopen(Bench& bench, std::string_view id, const std::string& why) {
    auto found = steered(bench, id, Move::reopen, why);
    if (!found) return refuse(found.error());
    if (found->held) return std::move(found->task);
    Task& task = found->task;
    const State before = task.state;
    begin_again(task);
    if (auto ok = step(task, Move::reopen, State::pending); !ok) return refuse(ok.error());
    if (auto ok = saved(bench, task, {"reopened", before}, why); !ok) return refuse(ok.error());
    if (auto ok = after_reopening(bench, task); !ok) return refuse(ok.error());
    return std::move(task);
}

Outcome<Task> suspend(Bench& bench, std::string_view id, const std::string& why) {
    auto task = find_task(bench, id);
    if (!task || !task->lease) return task;
    const State before = task->state;
    if (auto ok = step(*task, Move::block, State::blocked); !ok) return refuse(ok.error());
    end_attempt(bench, *task, "blocked", why);
    if (task->attempts > 0) --task->attempts;
    task->outcome = "blocked";
    if (auto ok = saved(bench, *task, {"blocked", before}, why); !ok) return refuse(ok.error());
    return task;
}

Outcome<Task> approve(Bench& bench, std::string_view id, const std::string& why) {
    auto task = find_task(bench, id);
    if (!task) return task;
    const State before = task->state;
    if (auto ok = step(*task, Move::approve, State::completed); !ok) return refuse(ok.error());
    task->outcome = "success";
    task->completed_at = bench.now();
    task->percent = 100;
    task->approval.clear();
    if (auto ok = saved(bench, *task, {"completed", before}, why); !ok) return refuse(ok.error());
    if (auto ok = after_completion(bench, *task); !ok) return refuse(ok.error());
    if (auto ok = repeat(bench, *task); !ok) return refuse(ok.error());
    return task;
}

Outcome<Task> reject(Bench& bench, std::string_view id, const std::string& why) {
    auto task = find_task(bench, id);
    if (!task) return task;
    const State before = task->state;
    if (auto ok = step(*task, Move::reject, State::pending); !ok) return refuse(ok.error());
    task->approval.clear();
    if (auto ok = saved(bench, *task, {"rejected", before}, why); !ok) return refuse(ok.error());
    return task;
}

Outcome<std::size_t> lapse_leases(Bench& bench, std::size_t limit) {
    auto lapsed = bench.book.queue.lapsed(bench.now(), limit);
    if (!lapsed) return refuse(lapsed.error());
    for (Task& task : *lapsed) {
        const State before = task.state;
        const std::string bee = task.lease ? task.lease->holder : "";
        const State to = task.attempts >= task.retry.attempts_max ? State::dead : State::pending;
        if (auto ok = step(task, Move::lapse, to); !ok) return refuse(ok.error());
        end_attempt(bench, task, "lapsed", "its bee was silent for longer than the lease");
        if (to == State::dead) {
            task.outcome = "failure";
            task.error = "every attempt ended without a word";
            task.completed_at = bench.now();
        }
        if (auto ok = save(bench, task); !ok) return refuse(ok.error());
        say(bench, task,
            {to == State::dead ? "dead" : "lapsed",
             before,
             {{"bee", bee}, {"attempts", task.attempts}}});
        if (to == State::dead) {
            if (auto ok = repeat(bench, task); !ok) return refuse(ok.error());
        }
    }
    return lapsed->size();
}

Outcome<std::size_t> wake_due(Bench& bench, std::size_t limit) {
    auto due = bench.book.queue.due(bench.now(), limit);
    if (!due) return refuse(due.error());
    for (Task& task : *due) {
        const State before = task.state;
        task.not_before.reset();
        if (auto ok = step(task, Move::ready, State::pending); !ok) return refuse(ok.error());
        if (auto ok = save(bench, task); !ok) return refuse(ok.error());
        say(bench, task, {"ready", before});
    }
    return due->size();
}

} // namespace hive::colony::tasks

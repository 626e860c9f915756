#include "colony/tasks/working.hpp"

#include "colony/tasks/carrying.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hive::colony::tasks {
namespace {

// How far to look in one lane for tasks with the wished tags.
constexpr std::size_t looked_at_for_tags = 500;

Outcome<std::string> bee_of(const Bench& bench, const Terms& terms) {
    const Actor& actor = bench.actor();
    if (terms.bee.empty() || terms.bee == actor.id) return actor.id;
    if (actor.role == accounts::Role::bee) {
        return refuse(
            Errc::denied, "not-yours", fmt::format("{} cannot claim for {}", actor.id, terms.bee));
    }
    return terms.bee;
}

Outcome<void> check_terms(const Terms& terms) {
    if (terms.lease >= lease_shortest && terms.lease <= lease_longest) return {};
    return refuse(
        Errc::invalid, "bad-lease",
        fmt::format(
            "a lease is {} to {}, not {}", format_duration(lease_shortest),
            format_duration(lease_longest), format_duration(terms.lease)));
}

Outcome<void> take(Bench& bench, Task& task, const std::string& bee, const Terms& terms) {
    const State before = task.state;
    if (auto ok = step(task, Move::claim, State::claimed); !ok) return ok;
    ++task.attempts;
    ++task.fence;
    task.lease = Lease{bee, terms.instance, task.fence, bench.now() + terms.lease, terms.lease};
    task.claimed_at = bench.now();
    task.not_before.reset();
    task.percent.reset();
    task.outcome.clear();
    task.history.push_back({.token = task.fence, .bee = bee, .began = bench.now()});
    if (task.history.size() > history_max) task.history.erase(task.history.begin());
    if (auto ok = save(bench, task); !ok) return ok;
    say(bench, task, {"claimed", before, {{"lease_ends", format_timestamp(task.lease->ends)}}});
    return {};
}

enum class Force : bool { no, by_admin };

// What somebody wants to do, and how they show that they may.
struct Grip {
    Move move;
    const Hold& hold;
    Force force = Force::no;
};

// Is it still theirs? Once its lease is over a task is lost, also before anybody has noticed.
Outcome<void> check_hold(const Bench& bench, const Task& task, const Grip& grip) {
    const auto& [move, hold, force] = grip;
    if (!task.lease || !can(task.state, move)) {
        // A bee that comes back after its lease lapsed should read why, whatever came of the task.
        if (hold.token && *hold.token <= task.fence && !task.lease && !is_over(task.state)) {
            return refuse(
                Errc::conflict, "stale-lease",
                fmt::format("the lease {} of {} is over; claim it again", *hold.token, task.ref),
                {{"state", name_of(task.state)}});
        }
        return refuse(illegal_move(task, move));
    }
    const Actor& actor = bench.actor();
    if (force == Force::by_admin && actor.is_admin() && !hold.token) return {};
    if (hold.token && *hold.token != task.lease->token) {
        return refuse(
            Errc::conflict, "stale-lease",
            fmt::format(
                "{} was claimed again since the lease {}; what you did cannot be written", task.ref,
                *hold.token),
            {{"state", name_of(task.state)}});
    }
    if (task.lease->holder != actor.id) {
        return refuse(
            Errc::denied, "not-holder",
            fmt::format("{} is held by {}", task.ref, task.lease->holder));
    }
    if (!hold.token && actor.role == accounts::Role::bee) {
        return refuse(
            Errc::invalid, "lease-token-needed",
            "send the lease token that claiming answered: a bee may run twice");
    }
    if (task.lease->ends <= bench.now()) {
        return refuse(
            Errc::conflict, "stale-lease",
            fmt::format(
                "the lease of {} ended at {}", task.ref, format_timestamp(task.lease->ends)),
            {{"state", name_of(task.state)}});
    }
    return {};
}

Outcome<Task> held_task(const Bench& bench, std::string_view id, const Grip& grip) {
    auto task = find_task(bench, id);
    if (!task) return task;
    if (auto ok = check_hold(bench, *task, grip); !ok) return refuse(ok.error());
    return task;
}

// What a lane has of what is wished, in order.
Outcome<std::vector<Task>>
wished_in(const Bench& bench, const std::string& lane, const Wish& wish) {
    const std::size_t look = wish.tags.empty() ? wish.count : looked_at_for_tags;
    auto found = bench.book.queue.pending_in(lane, look);
    if (!found) return refuse(found.error());
    std::erase_if(*found, [&](const Task& task) { return !has_all(task.tags, wish.tags); });
    const auto cares = bench.gate.cares("task.claim");
    if (!cares) return refuse(cares.error());
    if (!*cares) return std::move(*found);
    std::vector<Task> free;
    for (Task& task : *found) {
        // What somebody has to approve first is claimed by name, not by chance.
        const auto minds = bench.gate.minds(act_on(task, Move::claim, {}), bench.actor());
        if (!minds) return refuse(minds.error());
        if (!*minds) free.push_back(std::move(task));
    }
    return free;
}

void give_back_attempt(Task& task) {
    if (task.attempts > 0) --task.attempts;
}

} // namespace

Outcome<Task> claim(Bench& bench, std::string_view id, const Terms& terms) {
    if (auto ok = check_terms(terms); !ok) return refuse(ok.error());
    const auto bee = bee_of(bench, terms);
    if (!bee) return refuse(bee.error());
    auto task = find_task(bench, id);
    if (!task) return task;
    if (!can(task->state, Move::claim)) return refuse(illegal_move(*task, Move::claim));
    if (!task->assigned_to.empty() && task->assigned_to != *bee) {
        return refuse(
            Errc::conflict, "assigned-to-another",
            fmt::format("{} is for {}", task->ref, task->assigned_to));
    }
    const auto held = is_held(bench, *task, Move::claim, stored(terms));
    if (!held) return refuse(held.error());
    if (*held) return task;
    if (auto ok = take(bench, *task, *bee, terms); !ok) return refuse(ok.error());
    return task;
}

Outcome<std::vector<Task>> claim_next(Bench& bench, const Wish& wish) {
    if (auto ok = check_terms(wish.terms); !ok) return refuse(ok.error());
    const auto bee = bee_of(bench, wish.terms);
    if (!bee) return refuse(bee.error());
    auto lanes = bench.book.queue.lanes();
    if (!lanes) return refuse(lanes.error());
    std::vector<Task> found;
    for (const auto& name : *lanes) {
        const Lane lane = read_lane(name);
        const bool able = has_all(wish.skills, lane.skills);
        if (!able || (!lane.assigned_to.empty() && lane.assigned_to != *bee)) continue;
        auto some = wished_in(bench, name, wish);
        if (!some) return some;
        std::ranges::move(*some, std::back_inserter(found));
    }
    const auto order = [](const Task& task) {
        return std::tie(task.priority, task.created, task.id);
    };
    std::ranges::sort(found, {}, order);
    const std::size_t count = std::min(wish.count, claimed_at_once_max);
    if (found.size() > count)
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    for (Task& task : found) {
        if (auto ok = take(bench, task, *bee, wish.terms); !ok) return refuse(ok.error());
    }
    return found;
}

Outcome<Task> heartbeat(Bench& bench, std::string_view id, const Hold& hold) {
    auto task = held_task(bench, id, {Move::progress, hold});
    if (!task) return task;
    task->lease->ends = bench.now() + task->lease->span;
    // No revision, no event: nothing about the task has changed.
    if (auto ok = bench.book.records.extend(task->id, task->lease->ends); !ok)
        return refuse(ok.error());
    return task;
}

Outcome<Task> progress(Bench& bench, std::string_view id, const Report& report) {
    auto task = held_task(bench, id, {Move::progress, report.hold});
    if (!task) return task;
    const auto held = is_held(bench, *task, Move::progress, stored(report));
    if (!held) return refuse(held.error());
    if (*held) return task;
    const State before = task->state;
    if (auto ok = step(*task, Move::progress, State::in_progress); !ok) return refuse(ok.error());
    task->lease->ends = bench.now() + task->lease->span;
    if (report.percent) task->percent = report.percent;
    if (!report.note.empty()) task->note = report.note;
    if (auto ok = save(bench, *task); !ok) return refuse(ok.error());
    json::object more{{"note", report.note}};
    if (task->percent) more["percent"] = *task->percent;
    say(bench, *task, {"progress", before, std::move(more)});
    return task;
}

Outcome<Task> complete(Bench& bench, std::string_view id, const Report& report) {
    auto task = held_task(bench, id, {Move::complete, report.hold});
    if (!task) return task;
    const State before = task->state;
    const std::string bee = task->lease->holder;
    const auto held = is_held(bench, *task, Move::complete, stored(report));
    if (!held) return refuse(held.error());
    const State to = *held ? State::in_review : State::completed;
    if (auto ok = step(*task, Move::complete, to); !ok) return refuse(ok.error());
    end_attempt(bench, *task, "completed");
    task->result = report.result;
    if (!report.note.empty()) task->note = report.note;
    if (*held) {
        task->approval = bench.moment.held();
    } else {
        task->outcome = "success";
        task->completed_at = bench.now();
        task->percent = 100;
    }
    if (auto ok = save(bench, *task); !ok) return refuse(ok.error());
    say(bench, *task,
        {*held ? "review" : "completed", before, {{"bee", bee}, {"note", report.note}}});
    if (*held) return task;
    if (auto ok = after_completion(bench, *task); !ok) return refuse(ok.error());
    if (auto ok = repeat(bench, *task); !ok) return refuse(ok.error());
    return task;
}

Outcome<Task> fail_attempt(Bench& bench, std::string_view id, const Failure& failure) {
    auto task = held_task(bench, id, {Move::fail, failure.hold});
    if (!task) return task;
    const auto held = is_held(bench, *task, Move::fail, stored(failure));
    if (!held) return refuse(held.error());
    if (*held) return task;
    const State before = task->state;
    const std::string bee = task->lease->holder;
    const bool used_up = task->attempts >= task->retry.attempts_max;
    const Duration wait = backoff(task->retry, task->attempts);
    State to = wait > Duration::zero() ? State::waiting : State::pending;
    if (used_up) to = State::dead;
    if (!failure.retryable) to = State::failed;
    if (auto ok = step(*task, Move::fail, to); !ok) return refuse(ok.error());
    end_attempt(bench, *task, "failed", failure.error);
    task->error = failure.error;
    if (is_over(to)) {
        task->outcome = "failure";
        task->completed_at = bench.now();
    } else if (to == State::waiting) {
        task->not_before = bench.now() + wait;
    }
    if (auto ok = save(bench, *task); !ok) return refuse(ok.error());
    json::object more{
        {"bee", bee},
        {"error", failure.error},
        {"attempts", task->attempts},
        {"final", is_over(to)}};
    if (task->not_before) more["next_attempt"] = format_timestamp(*task->not_before);
    say(bench, *task, {to == State::dead ? "dead" : "failed", before, std::move(more)});
    if (is_over(to)) {
        if (auto ok = repeat(bench, *task); !ok) return refuse(ok.error());
    }
    return task;
}

Outcome<Task> block(Bench& bench, std::string_view id, const Report& report) {
    auto task = held_task(bench, id, {Move::block, report.hold});
    if (!task) return task;
    const auto held = is_held(bench, *task, Move::block, stored(report));
    if (!held) return refuse(held.error());
    if (*held) return task;
    const State before = task->state;
    const std::string bee = task->lease->holder;
    if (auto ok = step(*task, Move::block, State::blocked); !ok) return refuse(ok.error());
    end_attempt(bench, *task, "blocked", report.note);
    give_back_attempt(*task);
    task->outcome = "blocked";
    task->note = report.note;
    if (auto ok = save(bench, *task); !ok) return refuse(ok.error());
    say(bench, *task, {"blocked", before, {{"bee", bee}, {"note", report.note}}});
    return task;
}

Outcome<Task> release(Bench& bench, std::string_view id, const Report& report) {
    auto task = held_task(bench, id, {Move::release, report.hold, Force::by_admin});
    if (!task) return task;
    const auto held = is_held(bench, *task, Move::release, stored(report));
    if (!held) return refuse(held.error());
    if (*held) return task;
    const State before = task->state;
    const std::string bee = task->lease->holder;
    if (auto ok = step(*task, Move::release, State::pending); !ok) return refuse(ok.error());
    end_attempt(bench, *task, "released", report.note);
    give_back_attempt(*task);
    if (!report.note.empty()) task->note = report.note;
    if (auto ok = save(bench, *task); !ok) return refuse(ok.error());
    say(bench, *task, {"released", before, {{"bee", bee}, {"note", report.note}}});
    return task;
}

} // namespace hive::colony::tasks

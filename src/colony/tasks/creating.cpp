#include "colony/tasks/creating.hpp"

#include "colony/tasks/schedule.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace hive::colony::tasks {
namespace {

constexpr std::size_t dependencies_max = 100;
constexpr std::size_t looked_through_max = 10'000;

using Known = std::unordered_map<std::string, Task>; // by id; what was looked up along the way

// Tasks by id or ref: those being made, then those in the book.
class Lookup {
public:
    Lookup(const Bench& bench, const std::vector<Task>& made) : bench_{&bench} {
        for (const Task& task : made) {
            made_.emplace(task.id, &task);
            made_.emplace(task.ref, &task);
        }
    }

    Outcome<const Task*> find(const std::string& name) {
        if (const auto found = made_.find(name); found != made_.end()) return found->second;
        if (const auto found = known_.find(name); found != known_.end()) return &found->second;
        auto read = bench_->book.search.find(name);
        if (!read) return refuse(read.error());
        if (!*read) return nullptr;
        return &known_.emplace(name, **std::move(read)).first->second;
    }

private:
    const Bench* bench_;
    std::unordered_map<std::string, const Task*> made_;
    Known known_;
};

// The ids behind what somebody wrote, each once, and which of them are not done.
Outcome<void> resolve(Lookup& lookup, Task& task, const Words& names) {
    if (names.size() > dependencies_max) {
        return refuse(
            Errc::invalid, "too-many-dependencies",
            fmt::format("a task depends on at most {} others", dependencies_max));
    }
    task.depends_on.clear();
    task.unmet.clear();
    for (const auto& name : names) {
        auto found = lookup.find(name);
        if (!found) return refuse(found.error());
        if (*found == nullptr) {
            return refuse(
                Errc::invalid, "unknown-dependency",
                fmt::format("{} depends on '{}', which does not exist", task.ref, name));
        }
        const Task& other = **found;
        if (other.id == task.id) {
            return refuse(
                Errc::invalid, "dependency-cycle", fmt::format("{} depends on itself", task.ref),
                {{"cycle", json::array{task.ref, task.ref}}});
        }
        if (has(task.depends_on, other.id)) continue;
        task.depends_on.push_back(other.id);
        if (other.state != State::completed) task.unmet.push_back(other.id);
    }
    return {};
}

// Depth first from `start`; a way back to it is a cycle.
Outcome<void> check_no_cycle(Lookup& lookup, const Task& start) {
    struct Step {
        std::string id;
        std::size_t next = 0;
    };
    std::vector<Step> way{{start.id}};
    std::unordered_set<std::string> seen{start.id};
    while (!way.empty()) {
        auto here = lookup.find(way.back().id);
        if (!here) return refuse(here.error());
        const Task* task = way.size() == 1 ? &start : *here;
        if (task == nullptr || way.back().next == task->depends_on.size()) {
            way.pop_back();
            continue;
        }
        const std::string next = task->depends_on[way.back().next++];
        if (next == start.id) {
            json::array names;
            for (const Step& passed : way) {
                auto known = lookup.find(passed.id);
                names.emplace_back(known && *known ? (*known)->ref : passed.id);
            }
            names.emplace_back(start.ref);
            return refuse(
                Errc::invalid, "dependency-cycle",
                fmt::format("{} would wait for itself", start.ref), {{"cycle", std::move(names)}});
        }
        if (!seen.insert(next).second) continue;
        if (seen.size() > looked_through_max) {
            return refuse(
                Errc::limit, "dependencies-too-deep",
                fmt::format("more than {} tasks depend on each other", looked_through_max));
        }
        way.push_back({next});
    }
    return {};
}

bool is_cron(const std::string& repeat) {
    const auto schedule = Schedule::parse(repeat);
    return schedule && !schedule->is_interval();
}

Outcome<void> check_schedule(const Bench& bench, const Task& task) {
    if (task.repeat.empty()) {
        if (task.time_zone.empty()) return {};
        return refuse(
            Errc::invalid, "bad-time-zone",
            "a time zone is for `repeat`: say when it is due again");
    }
    const auto schedule = Schedule::parse(task.repeat);
    if (!schedule) return refuse(schedule.error());
    if (schedule->is_interval() && !task.time_zone.empty()) {
        return refuse(
            Errc::invalid, "bad-time-zone",
            "an interval is as long everywhere: a time zone goes with cron fields");
    }
    if (auto zone = find_zone(bench, task.time_zone); !zone) return refuse(zone.error());
    return {};
}

Outcome<void> check_values(const Bench& bench, const Task& task) {
    if (task.title.empty()) {
        return refuse(Errc::invalid, "title-needed", "a task needs a title");
    }
    if (task.priority < 0 || task.priority > priority_last) {
        return refuse(
            Errc::invalid, "bad-priority",
            fmt::format("a priority is 0 (most urgent) to 4, not {}", task.priority));
    }
    if (auto ok = check_schedule(bench, task); !ok) return ok;
    if (auto ok = check_ref(task.ref); !ok) return refuse(ok.error());
    return {};
}

Outcome<void> check_ref_unused(const Bench& bench, const Task& task) {
    if (task.ref.empty()) return {};
    auto same = bench.book.search.find(task.ref);
    if (!same) return refuse(same.error());
    if (!*same) return {};
    return refuse(
        Errc::conflict, "ref-taken", fmt::format("there is a task called '{}' already", task.ref),
        {{"task", (*same)->id}});
}

Outcome<void> check_key_unused(const Bench& bench, const Task& task) {
    if (task.unique_key.empty()) return {};
    auto twin = bench.book.search.with_unique_key(task.unique_key);
    if (!twin) return refuse(twin.error());
    if (!*twin) return {};
    return refuse(
        Errc::conflict, "duplicate",
        fmt::format("{} has the unique key '{}' and is not over", (*twin)->ref, task.unique_key),
        {{"task", (*twin)->id}, {"ref", (*twin)->ref}});
}

Outcome<void> check_distinct(const std::vector<Task>& tasks) {
    std::unordered_set<std::string> refs;
    std::unordered_set<std::string> keys;
    for (const Task& task : tasks) {
        if (!refs.insert(task.ref).second) {
            return refuse(
                Errc::invalid, "ref-taken", fmt::format("two tasks are called '{}'", task.ref));
        }
        if (!task.unique_key.empty() && !keys.insert(task.unique_key).second) {
            return refuse(
                Errc::invalid, "duplicate",
                fmt::format("two tasks have the unique key '{}'", task.unique_key));
        }
    }
    return {};
}

// `after`: the id of the one before it, since tasks that are made at once are done in their order.
Task task_of(const Bench& bench, NewTask wanted, std::string_view after) {
    return {
        .id = make_ordered_uuid(bench.now(), bench.moment.random(), after),
        .ref = std::move(wanted.ref),
        .title = std::move(wanted.title),
        .description = std::move(wanted.description),
        .priority = wanted.priority,
        .tags = std::move(wanted.tags),
        .skills = std::move(wanted.skills),
        .assigned_to = std::move(wanted.assigned_to),
        .created_by = wanted.created_by.empty() ? bench.actor().id : wanted.created_by,
        .created = bench.now(),
        .changed = bench.now(),
        .not_before = wanted.not_before,
        .repeat = std::move(wanted.repeat),
        .time_zone = std::move(wanted.time_zone),
        .unique_key = std::move(wanted.unique_key),
        .attachments = std::move(wanted.attachments),
        .metadata = std::move(wanted.metadata),
        .retry = wanted.retry,
        .file_path = std::move(wanted.file_path)};
}

Outcome<void> give_refs(Bench& bench, std::vector<Task>& tasks) {
    const auto nameless = [](const Task& task) { return task.ref.empty(); };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(tasks, nameless));
    if (count == 0) return {};
    auto number = bench.book.records.next_numbers(count);
    if (!number) return refuse(number.error());
    for (Task& task : tasks) {
        if (task.ref.empty()) task.ref = fmt::format("TASK-{}", (*number)++);
    }
    return {};
}

} // namespace

Status check_ref(std::string_view ref) {
    const auto visible = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > 0x20 && byte != 0x7f && c != '/';
    };
    if (!ref.empty() && ref.size() <= 200 && std::ranges::all_of(ref, visible)) return {};
    return fail(Errc::invalid, "a ref has 1 to 200 visible characters and no slash");
}

Outcome<std::vector<Task>> create(Bench& bench, std::vector<NewTask> wanted) {
    if (wanted.empty() || wanted.size() > created_at_once_max) {
        return refuse(
            Errc::invalid, "too-many-tasks",
            fmt::format(
                "1 to {} tasks can be made at once, not {}", created_at_once_max, wanted.size()));
    }
    std::vector<Words> on;
    std::vector<Task> tasks;
    for (NewTask& one : wanted) {
        on.push_back(std::move(one.depends_on));
        const std::string before = tasks.empty() ? "" : tasks.back().id;
        tasks.push_back(task_of(bench, std::move(one), before));
        if (auto ok = check_ref_unused(bench, tasks.back()); !ok) return refuse(ok.error());
        if (auto ok = check_key_unused(bench, tasks.back()); !ok) return refuse(ok.error());
    }
    if (auto ok = give_refs(bench, tasks); !ok) return refuse(ok.error());
    if (auto ok = check_distinct(tasks); !ok) return refuse(ok.error());
    Lookup lookup{bench, tasks};
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (auto ok = check_values(bench, tasks[i]); !ok) return refuse(ok.error());
        if (auto ok = resolve(lookup, tasks[i], on[i]); !ok) return refuse(ok.error());
    }
    for (Task& task : tasks) {
        // Only tasks that are made together can make a circle: nobody waits for a new one yet.
        if (tasks.size() > 1 && !task.depends_on.empty()) {
            if (auto ok = check_no_cycle(lookup, task); !ok) return refuse(ok.error());
        }
        task.state = open_state(task, bench.now());
    }
    if (auto ok = bench.book.records.insert(tasks); !ok) return refuse(ok.error());
    for (const Task& task : tasks) say(bench, task, {"created", task.state});
    return tasks;
}

Outcome<Task> change(Bench& bench, Task task, const Changes& changes) {
    if (auto ok = check_steering(bench, task); !ok) return refuse(ok.error());
    const State before = task.state;
    if (changes.title) task.title = *changes.title;
    if (changes.description) task.description = *changes.description;
    if (changes.priority) task.priority = *changes.priority;
    if (changes.tags) task.tags = *changes.tags;
    if (changes.skills) task.skills = *changes.skills;
    if (changes.assigned_to) task.assigned_to = *changes.assigned_to;
    if (changes.not_before) task.not_before = *changes.not_before;
    if (changes.repeat) task.repeat = *changes.repeat;
    if (changes.time_zone) task.time_zone = *changes.time_zone;
    if (changes.repeat && !changes.time_zone && !is_cron(task.repeat)) task.time_zone.clear();
    if (changes.attachments) task.attachments = *changes.attachments;
    if (changes.metadata) task.metadata = *changes.metadata;
    if (auto ok = check_values(bench, task); !ok) return refuse(ok.error());
    if (changes.depends_on) {
        const std::vector<Task> none;
        Lookup lookup{bench, none};
        if (auto ok = resolve(lookup, task, *changes.depends_on); !ok) return refuse(ok.error());
        if (auto ok = check_no_cycle(lookup, task); !ok) return refuse(ok.error());
        if (auto ok = bench.book.records.depend(task.id, task.depends_on); !ok)
            return refuse(ok.error());
    }
    if (changes.tags) {
        if (auto ok = bench.book.records.tag(task.id, task.tags); !ok) return refuse(ok.error());
    }
    const State open = open_state(task, bench.now());
    if (task.state == State::pending && open == State::waiting) {
        if (auto ok = step(task, Move::wait, open); !ok) return refuse(ok.error());
    } else if (task.state == State::waiting && open == State::pending) {
        if (auto ok = step(task, Move::ready, open); !ok) return refuse(ok.error());
    }
    if (auto ok = save(bench, task); !ok) return refuse(ok.error());
    say(bench, task, {"changed", before});
    if (before == State::waiting && task.state == State::pending)
        say(bench, task, {"ready", before});
    return task;
}

} // namespace hive::colony::tasks

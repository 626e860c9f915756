#include "colony/files/intake_adopt.hpp"

#include "colony/files/intake_acts.hpp"
#include "colony/files/intake_task.hpp"
#include "colony/files/outgo.hpp"
#include "colony/files/text.hpp"
#include "colony/stored.hpp"
#include "colony/tasks/creating.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::files {
namespace {

using tasks::Bench;
using tasks::State;
using tasks::Task;

// What people may call it: its stem, unless that is taken or cannot be a ref.
Outcome<std::string> free_ref(const Colony& colony, std::string wanted, const std::string& id) {
    for (char& c : wanted) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7f || c == '/') c = '-';
    }
    wanted = clipped(wanted, 180);
    if (!tasks::check_ref(wanted)) wanted = "file";
    auto taken = colony.tasks.search.find(wanted);
    if (!taken) return refuse(taken.error());
    if (!*taken) return wanted;
    return fmt::format("{}-{}", wanted, id.substr(id.size() - 8));
}

// Numbers for new tasks begin behind those that came back with their files.
Outcome<void> pass_number(Colony& colony, const std::string& ref) {
    constexpr std::string_view prefix = "TASK-";
    if (!ref.starts_with(prefix)) return {};
    const auto taken = number(std::string_view{ref}.substr(prefix.size()));
    if (!taken) return {};
    const auto wanted = static_cast<std::uint64_t>(*taken);
    auto next = colony.tasks.records.next_numbers(1);
    if (!next) return refuse(next.error());
    if (*next >= wanted) return {};
    next = colony.tasks.records.next_numbers(wanted - *next);
    if (!next) return refuse(next.error());
    return {};
}

Outcome<void> resolve_dependencies(const Colony& colony, const Document& document, Task& task) {
    for (const auto& name : document.depends_on) {
        auto found = colony.tasks.search.find(name);
        if (!found) return refuse(found.error());
        if (!*found) {
            auto rows = colony.files.called(name);
            if (!rows) return refuse(rows.error());
            if (rows->size() == 1 && !rows->front().entity.empty())
                found = colony.tasks.search.find(rows->front().entity);
            if (!found) return refuse(found.error());
        }
        if (!*found || (*found)->id == task.id || has(task.depends_on, (*found)->id)) continue;
        task.depends_on.push_back((*found)->id);
        if ((*found)->state != State::completed) task.unmet.push_back((*found)->id);
    }
    return {};
}

Outcome<void> insert(Colony& colony, const Task& task, const Document& document) {
    if (auto ok = colony.tasks.records.insert({&task, 1}); !ok) return refuse(ok.error());
    return act_as(colony, someone(), [&](Moment& moment) -> Outcome<void> {
        Bench bench{colony.tasks, colony.gate, moment, colony.zones};
        tasks::say(bench, task, {"created", task.state, {{"file", document.path}}});
        // Whoever writes files after the audit log need not look at this one.
        const Refs none;
        const Desk desk{colony.aliases, colony.zone, none};
        if (is_in_step(document, task, desk)) moment.events().back().details[in_step] = true;
        return {};
    });
}

void end_if_over(Task& task, Timestamp at) {
    if (!is_over(task.state)) return;
    task.lease.reset();
    if (!task.completed_at) task.completed_at = at;
    if (task.outcome.empty()) task.outcome = task.state == State::completed ? "success" : "failure";
}

} // namespace

State state_by_place(const Document& document, State said, const std::optional<Place>& from) {
    if (document.place.archived && !is_over(said)) return State::completed;
    const bool moved_back = from && from->archived && !document.place.archived;
    if (moved_back && is_over(said)) return State::pending;
    return said;
}

Outcome<Task> adopt(Colony& colony, const Incoming& incoming) {
    const Document& document = incoming.document;
    const Timestamp written = std::min(document.time.value, colony.moment.now());
    Task task = task_in(document, {});
    task.id = make_ordered_uuid(written, colony.moment.random());
    auto ref = free_ref(colony, folded(document.place.stem), task.id);
    if (!ref) return refuse(ref.error());
    task.ref = *std::move(ref);
    task.created_by = document.sender.value;
    task.created = written;
    task.changed = colony.moment.now();
    put(task.metadata, "kind", document.kind);
    put(task.metadata, "taskName", document.task_name.value);
    if (document.recipients.value.size() > 1) put(task.metadata, "to", document.recipients.value);
    if (auto ok = resolve_dependencies(colony, document, task); !ok) return refuse(ok.error());
    // Held or in review: that is for a lease and a reviewer to say, below.
    const bool settled = is_over(task.state) || task.state == State::blocked;
    if (!settled) task.state = open_state(task, colony.moment.now());
    end_if_over(task, written);
    task.file_path = document.path;
    task.file_synced_at = colony.moment.now();
    if (auto ok = insert(colony, task, document); !ok) return refuse(ok.error());
    const State said = document.state.value;
    const bool in_hand = said == State::in_progress || said == State::claimed;
    if (!in_hand || task.assigned_to.empty() || settled) return task;
    auto begun = bring_to(colony, task, said, {task.assigned_to, "", written});
    return begun ? begun : Outcome<Task>{task}; // its bee is paused: then it is not begun
}

Outcome<Task> restore(Colony& colony, const Incoming& incoming) {
    Task task = *incoming.document.task;
    task.state = state_by_place(incoming.document, task.state, std::nullopt);
    end_if_over(task, colony.moment.now());
    auto ref = free_ref(colony, task.ref, task.id);
    if (!ref) return refuse(ref.error());
    task.ref = *std::move(ref);
    if (auto ok = pass_number(colony, task.ref); !ok) return refuse(ok.error());
    task.file_path = incoming.document.path;
    task.file_synced_at = colony.moment.now();
    if (auto ok = insert(colony, task, incoming.document); !ok) return refuse(ok.error());
    return task;
}

} // namespace hive::colony::files

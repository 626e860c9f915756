#include "api/colony/budget_keeper.hpp"

#include "colony/stored.hpp"
#include "colony/tasks/steering.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::costs;
using colony::Outcome;

colony::approvals::NewApproval request_for(const UsedUp& used_up) {
    const auto& [budget, spending] = used_up;
    const std::string whose = spending.subject.empty() ? "the hive" : spending.subject;
    return {
        .act =
            {.what = "budget.extend",
             .entity_type = "budget",
             .entity_id = budget.id,
             .facts = {{"subject", spending.subject}, {"period", spending.period}},
             .command = to_json(spending)},
        .subject = fmt::format("as much again for {} from the budget {}", whose, budget.name),
        .evidence = {{"json", "spent", to_json(spending)}, {"json", "budget", to_json(budget)}},
        .stages = {budget.deciders}};
}

// The bee loses its lease and with it the right to write; nobody takes it up again.
Outcome<void> suspend_task(Workplace& place, const UsedUp& used_up) {
    const auto task = find_task(place.bench(), used_up.spending.subject);
    if (!task) return {}; // it is not there any more
    const auto done = suspend(
        place.bench(), task->id, fmt::format("the budget '{}' is used up", used_up.budget.name));
    return done ? Outcome<void>{} : colony::refuse(done.error());
}

Outcome<void> follow(Workplace& place, UsedUp& used_up) {
    if (used_up.budget.action == Action::warn) return {};
    if (used_up.budget.scope == Scope::task) {
        if (auto ok = suspend_task(place, used_up); !ok) return ok;
    }
    if (used_up.budget.action != Action::ask) return {};
    const auto asked = open_request(place.council(), request_for(used_up));
    if (!asked) return colony::refuse(asked.error());
    used_up.spending.approval = asked->id;
    if (auto ok = place.accounts().budgets.keep(used_up.spending); !ok) {
        return colony::refuse(ok.error());
    }
    return {};
}

} // namespace

Outcome<Booked> book(Workplace& place, NewUsage usage) {
    if (!usage.task.empty()) {
        const auto task = find_task(place.bench(), usage.task);
        if (!task) return colony::refuse(task.error());
        usage.task = task->id;
        usage.task_ref = task->ref;
    }
    auto booked = record(place.accounts(), std::move(usage));
    if (!booked) return booked;
    for (UsedUp& used_up : booked->used_up) {
        if (auto ok = follow(place, used_up); !ok) return colony::refuse(ok.error());
    }
    return booked;
}

Outcome<void> end_request_for_more(Workplace& place, const colony::approvals::Approval& approval) {
    const auto whose = spending_from_stored(to_text(approval.act.command));
    if (!whose) return colony::refuse(whose.error());
    if (approval.state != colony::approvals::State::approved) {
        return deny_more(place.accounts(), approval.act.entity_id, *whose);
    }
    const auto granted = grant(place.accounts(), approval.act.entity_id, *whose);
    if (!granted) return colony::refuse(granted.error());
    const auto task = find_task(place.bench(), granted->subject);
    if (granted->subject.empty() || !task) return {};
    if (task->state != colony::tasks::State::blocked) return {};
    colony::OpenGate open; // it was decided already
    colony::tasks::Bench bench{place.tasks(), open, place.moment(), place.zones()};
    const auto free = unblock(bench, task->id, "its budget was extended");
    return free ? Outcome<void>{} : colony::refuse(free.error());
}

} // namespace hive::rest

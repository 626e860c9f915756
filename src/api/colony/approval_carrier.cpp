#include "api/colony/approval_carrier.hpp"

#include "api/colony/budget_keeper.hpp"
#include "colony/approvals/deciding.hpp"
#include "colony/tasks/carrying.hpp"
#include "colony/tasks/steering.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using colony::Outcome;
using colony::approvals::Approval;
using colony::approvals::Carry;
using State = colony::approvals::State;

// Where the act takes place: as whoever asked for it, and no rule asks again.
class Deputy {
public:
    Deputy(Workplace& place, const Approval& approval)
        : place_{&place}, approval_{&approval},
          moment_{approval.requester, place.moment().now(), place.moment().random()} {}

    colony::tasks::Bench bench() { return {place_->tasks(), open_, moment_, place_->zones()}; }
    colony::channels::Desk desk() {
        return {place_->messages(), moment_, place_->policy().quota, open_};
    }

    // What was said is said here, with the approval that made it possible.
    void report() {
        for (auto& event : moment_.events()) {
            event.told["approval"] = approval_->id;
            event.details["for"] = approval_->requester.id;
            place_->moment().say(std::move(event));
        }
    }

private:
    Workplace* place_;
    const Approval* approval_;
    colony::OpenGate open_{};
    colony::Moment moment_;
};

// The end of a review.
Outcome<void> end_review(colony::tasks::Bench bench, const Approval& approval) {
    const auto task = find_task(bench, approval.act.entity_id);
    const bool waits =
        task && task->state == colony::tasks::State::in_review && task->approval == approval.id;
    if (approval.state != State::approved && !waits) return {}; // nothing to take back
    if (!task) return colony::refuse(task.error());
    if (!waits) {
        return colony::refuse(
            Errc::conflict, "not-in-review",
            fmt::format("{} does not wait for this approval any more", task->ref));
    }
    const auto ended = approval.state == State::approved ? approve(bench, task->id, approval.reason)
                                                         : reject(bench, task->id, approval.reason);
    return ended ? Outcome<void>{} : colony::refuse(ended.error());
}

Outcome<void> do_it(Deputy& deputy, const Approval& approval) {
    const colony::Act& act = approval.act;
    if (act.what == "task.complete") return end_review(deputy.bench(), approval);
    if (act.entity_type == "task") {
        auto bench = deputy.bench();
        const auto done = colony::tasks::carry_out(bench, act);
        return done ? Outcome<void>{} : colony::refuse(done.error());
    }
    if (act.entity_type == "channel") {
        auto desk = deputy.desk();
        return colony::channels::carry_out(desk, act);
    }
    return colony::refuse(
        Errc::invalid, "unknown-act", fmt::format("nobody knows how to do {}", act.what));
}

} // namespace

Outcome<void> carry_out(Workplace& place, Approval& approval) {
    if (approval.carry != Carry::pending || approval.act.entity_type == "swarm") return {};
    if (approval.act.entity_type == "budget") {
        if (auto ok = end_request_for_more(place, approval); !ok) return ok;
        return note_carried(place.council(), approval);
    }
    Deputy deputy{place, approval};
    if (auto ok = do_it(deputy, approval); !ok) return ok;
    deputy.report();
    return note_carried(place.council(), approval);
}

bool is_of_the_act(const colony::Refusal& refusal) {
    return refusal.kind != Errc::unavailable && refusal.kind != Errc::timeout &&
           refusal.kind != Errc::closed;
}

} // namespace hive::rest

#include "api/colony/swarm_courier.hpp"

#include "api/rest/stored_order.hpp"
#include "api/rest/swarm_rider.hpp"
#include "colony/approvals/deciding.hpp"

#include <fmt/format.h>

namespace hive::rest {

using colony::approvals::Approval;
using colony::approvals::Carry;

// What is left of one command. Its first part takes the audit entry and the run along, its last
// part the note that it is done; parts in between may be brought twice, and do nothing twice.
struct SwarmCourier::Errand {
    Approval approval;
    Order order;
    std::size_t next = 0;
};

namespace {

constexpr std::size_t at_once = 20;

// Runs in the transaction that keeps the last wish of the command.
Status note_done(Change& change, const HiveId& hive, const std::string& id) {
    Unit unit{change, hive, hive_itself()};
    store::ApprovalTable book{unit.session(), hive};
    store::ApprovalLinkTable links{unit.session(), hive};
    colony::approvals::Council council{book, links, unit.moment()};
    auto approval = find_approval(council, id);
    if (!approval) return fail(approval.error().kind, approval.error().detail);
    // Refused when it was done before: then this wish is not kept either.
    if (auto ok = note_carried(council, *approval); !ok) {
        return fail(ok.error().kind, ok.error().detail);
    }
    return unit.record();
}

} // namespace

Chore SwarmCourier::chore(const std::shared_ptr<SwarmCourier>& courier, ColonyParts& colony) {
    const auto work = [courier, &colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        return courier->round(place);
    };
    return {
        .name = "approved commands",
        .every = std::chrono::milliseconds{250},
        .work = as_chore(courier->hive_, work)};
}

Status SwarmCourier::round(Workplace& place) {
    if (auto ok = note_refusals(place); !ok) return ok;
    const auto pending = place.council().book.pending(at_once);
    if (!pending) return fail(pending.error());
    for (const Approval& approval : *pending) {
        if (approval.act.entity_type != "swarm") continue;
        {
            const std::lock_guard lock{mutex_};
            if (refused_.contains(approval.id)) continue;
            if (!under_way_.insert(approval.id).second) continue;
        }
        bring(approval);
    }
    return {};
}

Status SwarmCourier::note_refusals(Workplace& place) {
    std::map<std::string, std::string> refused;
    {
        const std::lock_guard lock{mutex_};
        refused = refused_;
    }
    for (const auto& [id, why] : refused) {
        auto approval = find_approval(place.council(), id);
        if (!approval) return fail(approval.error().kind, approval.error().detail);
        if (approval->carry != Carry::pending) { // noted before, and committed
            const std::lock_guard lock{mutex_};
            refused_.erase(id);
            continue;
        }
        const auto noted = note_carried(place.council(), *approval, why);
        if (!noted) return fail(noted.error().kind, noted.error().detail);
    }
    return {};
}

void SwarmCourier::bring(const Approval& approval) {
    auto order = order_from_stored(approval.act.command);
    if (!order) return over(approval.id, order.error().detail);
    order->happening.details["approval"] = approval.id;
    order->happening.details["approvedBy"] = approval.ended_by;
    bring_next(std::make_shared<Errand>(Errand{approval, *std::move(order)}));
}

void SwarmCourier::bring_next(const std::shared_ptr<Errand>& errand) {
    const Approval& approval = errand->approval;
    const std::size_t part = errand->next;
    const bool last = part + 1 == errand->order.asks.size();
    const std::string who =
        fmt::format("{}:{}", accounts::name_of(approval.requester.role), approval.requester.id);
    auto rider = std::make_shared<SwarmRider>();
    rider->cause = {.actor = who, .request_id = {}, .correlation_id = approval.id};
    if (part == 0) {
        rider->happenings.push_back(errand->order.happening);
        rider->run = errand->order.run;
        if (rider->run) {
            rider->run->created = clock_->wall();
            rider->run->who = who;
        }
    }
    if (last) {
        rider->more = [hive = hive_, id = approval.id](Change& change) {
            return note_done(change, hive, id);
        };
    }
    auto ask = errand->order.asks.at(part);
    // The same key each time: the swarm knows a command that comes twice.
    sign(ask, {fresh_id(), fmt::format("{}.{}", approval.id, part + 1)}, who);
    court_->ask(
        std::move(ask), std::move(rider),
        [courier = shared_from_this(), errand](const Status& status) {
            courier->answered(errand, status);
        });
}

// Whether the swarm that is there already is the one that this very command made before.
bool SwarmCourier::is_ours(const Errand& errand) const {
    if (!errand.order.run || errand.next != 0) return false;
    const auto report = court_->find(errand.order.swarm);
    return report && report->swarm.run == errand.order.run->id;
}

void SwarmCourier::answered(const std::shared_ptr<Errand>& errand, const Status& status) {
    const bool gone_on = status || is_ours(*errand);
    if (!gone_on) {
        const bool later = status.error().code == Errc::timeout ||
                           status.error().code == Errc::unavailable ||
                           status.error().code == Errc::closed;
        return over(errand->approval.id, later ? std::string{} : status.error().detail);
    }
    if (++errand->next < errand->order.asks.size()) return bring_next(errand);
    over(errand->approval.id, {});
}

void SwarmCourier::over(const std::string& approval, const std::string& refusal) {
    const std::lock_guard lock{mutex_};
    under_way_.erase(approval);
    if (!refusal.empty()) refused_.insert_or_assign(approval, refusal);
}

} // namespace hive::rest

#include "api/colony/workplace.hpp"

#include "colony/stored.hpp"

#include <algorithm>
#include <array>

namespace hive::rest {
namespace {

// The task that bees may take now, if this is about one.
std::optional<ClaimRoom::Offer> offer_of(const colony::Event& event) {
    constexpr std::array<std::string_view, 8> types{
        "task.created",   "task.ready",    "task.released", "task.lapsed",
        "task.unblocked", "task.redriven", "task.reopened", "task.rejected"};
    if (std::ranges::find(types, event.type) == types.end()) return std::nullopt;
    if (colony::text_in(event.told, "state") != "pending") return std::nullopt;
    return ClaimRoom::Offer{
        colony::text_in(event.told, "assigned_to"), colony::words_in(event.told, "skills"),
        colony::words_in(event.told, "tags")};
}

} // namespace

colony::Outcome<void> Workplace::check_may_claim(const std::string& bee) {
    const std::string& who = bee.empty() ? actor().id : bee;
    const auto known = hall_.book.find(who);
    if (!known) return colony::refuse(known.error());
    if (*known && (*known)->paused) {
        return colony::refuse(
            Errc::conflict, "bee-paused", who + " is paused; somebody has to resume it first");
    }
    return check_budgets({.task = {}, .bee = who});
}

colony::Outcome<void> Workplace::check_budgets(const colony::costs::Asker& who) {
    const auto budgets = parts_->budgets.get(budgets_);
    if (!budgets) return colony::refuse(budgets.error());
    return check_may_begin(budgets_, **budgets, who, unit_->now());
}

Result<std::string> Workplace::spent_budget_of(const colony::Act& act) {
    if (act.what != "task.claim") return std::string{};
    const auto may = check_budgets({.task = act.entity_id, .bee = {}});
    if (may) return std::string{};
    if (may.error().code.empty()) return fail(may.error().kind, may.error().detail);
    return may.error().detail;
}

Result<colony::Verdict> Workplace::BudgetGate::ask(const colony::Act& act, colony::Moment& moment) {
    const auto spent = place_->spent_budget_of(act);
    if (!spent) return fail(spent.error());
    if (!spent->empty()) return colony::Denied{*spent, "budget-exceeded"};
    return place_->rule_gate_.ask(act, moment);
}

Result<bool> Workplace::BudgetGate::cares(std::string_view what) {
    if (what == "task.claim") {
        const auto budgets = place_->parts_->budgets.get(place_->budgets_);
        if (!budgets) return fail(budgets.error());
        if (!(*budgets)->empty()) return true;
    }
    return place_->rule_gate_.cares(what);
}

Result<bool> Workplace::BudgetGate::minds(const colony::Act& act, const colony::Actor& who) {
    const auto spent = place_->spent_budget_of(act);
    if (!spent) return fail(spent.error());
    if (!spent->empty()) return true;
    return place_->rule_gate_.minds(act, who);
}

colony::Outcome<void> Workplace::drop_needless_requests() {
    colony::Words cancelled;
    for (const auto& event : unit_->moment().events()) {
        if (event.type == "task.cancelled") cancelled.push_back(event.entity_id);
    }
    for (const auto& task : cancelled) {
        auto ok = drop_requests_about(council_, task, "the task was cancelled");
        if (!ok) return ok;
    }
    return {};
}

Result<http::Response> Workplace::leave(http::Response answer) {
    if (answer.status >= 400) return answer;
    if (auto ok = drop_needless_requests(); !ok) {
        return fail(ok.error().kind, ok.error().detail);
    }
    auto& events = unit_->moment().events();
    // One writer runs units in order: whoever wakes now claims after this unit.
    for (const auto& event : events) {
        if (const auto offer = offer_of(event)) parts_->room.ring(*offer);
    }
    if (actor().role != accounts::Role::bee) return answer;
    const std::string act = events.empty() ? std::string{"heartbeat"} : events.front().type;
    std::string words;
    for (const auto& event : events) {
        if (event.type == "message.new") {
            words = colony::text_in(event.told.at("message").as_object(), "content");
        }
    }
    if (auto ok = colony::bees::heard(hall_, actor().id, act, words); !ok) {
        return fail(ok.error().kind, ok.error().detail);
    }
    return answer;
}

asio::awaitable<http::Response>
act_in_colony(SessionParts sessions, ColonyParts& colony, api::Call call, PlaceWork work) {
    return act(
        std::move(sessions), std::move(call),
        [parts = &colony, work = std::move(work)](Unit& unit) -> Result<http::Response> {
            Workplace place{unit, *parts};
            auto answer = work(place, unit);
            if (!answer) return answer;
            return place.leave(*std::move(answer));
        });
}

} // namespace hive::rest

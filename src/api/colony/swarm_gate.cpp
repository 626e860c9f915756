#include "api/colony/swarm_gate.hpp"

#include "api/colony/swarm_plan.hpp"
#include "api/rest/audited.hpp"
#include "api/rest/stored_order.hpp"
#include "audit/redaction.hpp"
#include "colony/gate.hpp"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace hive::rest {
namespace {

using orchestrator::Queen;

// What those who decide may see of it: a patch or plan without its secrets.
json::object content_of(const Queen::Ask& ask, const Planned& planned) {
    if (const auto* config = std::get_if<orchestrator::ConfigAsked>(&ask)) {
        return {
            {"target", to_text(config->target)}, {"patch", audit::redact(audited(config->patch))}};
    }
    if (planned.steps.empty()) return {};
    return {{"plan", audit::redact(audited({{"steps", planned.steps}}))}};
}

colony::Act act_on(const Queen::Ask& ask, const Order& order, const Planned& planned) {
    json::object facts{{"swarm", swarm_of(ask)}};
    if (auto content = content_of(ask, planned); !content.empty()) {
        facts["content"] = std::move(content);
    }
    return {
        .what = std::string{act_of(ask)},
        .entity_type = "swarm",
        .entity_id = swarm_of(ask),
        .facts = std::move(facts),
        .command = to_stored(order)};
}

// A plan is approved with the start of its swarm: who may not do something may not have it done.
void add_planned(std::vector<colony::Act>& acts, const Planned& planned) {
    const colony::Act start = acts.back();
    for (const auto& what : planned.acts) {
        colony::Act act = start;
        act.what = what;
        act.facts["planned"] = true;
        act.facts["title"] = "by the plan of its start";
        acts.push_back(std::move(act));
    }
}

bool is_start(const Queen::Ask& ask) {
    const auto* wish = std::get_if<orchestrator::WishAsked>(&ask);
    return wish != nullptr && wish->wish == orchestrator::Wish::running;
}

std::vector<colony::Act> acts_of(const Order& order, const SwarmCourt* court) {
    std::vector<colony::Act> acts;
    for (const Queen::Ask& ask : order.asks) {
        const Planned planned = planned_by(ask, order, court);
        acts.push_back(act_on(ask, order, planned));
        if (is_start(ask)) add_planned(acts, planned);
    }
    return acts;
}

// A command of several parts waits as a whole for the first of them that a rule minds.
Result<http::Response>
ask_rules(Workplace& place, const Unit& unit, const std::vector<colony::Act>& acts) {
    for (const colony::Act& act : acts) {
        const auto cares = place.gate().cares(act.what);
        if (!cares) return fail(cares.error());
        if (!*cares) continue;
        const auto held = is_held(place.gate(), act, place.moment());
        if (!held) return unit.refuse(held.error());
        if (*held) return held_response(place.moment().held());
    }
    return http::Response{.status = 204};
}

} // namespace

asio::awaitable<std::optional<http::Response>>
SwarmGate::ask(SessionParts server, api::Call call, std::shared_ptr<const Order> order) {
    const auto acts =
        std::make_shared<const std::vector<colony::Act>>(acts_of(*order, colony_->court));
    // Most commands concern no rule, and then nothing is written: the question comes first.
    const auto minds = co_await server.transactions.snapshot(
        [acts, hive = server.transactions.chronicle().hive(),
         who = colony_actor(*call.principal())](store::Session& session) -> Result<std::string> {
            // Not the kept ones: a snapshot may be older than what they were read from.
            const auto rules = store::ApprovalRuleTable{session, hive}.all();
            if (!rules) return fail(rules.error());
            for (const colony::Act& act : *acts) {
                if (first_match(*rules, act, who) != nullptr) return "yes";
            }
            return "";
        });
    if (!minds) co_return call.fail(minds.error());
    if (minds->empty()) co_return std::nullopt;
    auto answer =
        co_await act_in_colony(server, *colony_, call, [acts](Workplace& place, const Unit& unit) {
            return ask_rules(place, unit, *acts);
        });
    if (answer.status == 204) co_return std::nullopt; // a rule that allows it
    co_return answer;
}

} // namespace hive::rest

#include "api/colony/swarm_gate.hpp"

#include "api/rest/audited.hpp"
#include "api/rest/stored_order.hpp"
#include "audit/redaction.hpp"
#include "colony/gate.hpp"

#include <fmt/format.h>

#include <memory>

namespace hive::rest {
namespace {

using orchestrator::Queen;

// What those who decide may see of it: a patch without its secrets.
json::object content_of(const Queen::Ask& ask) {
    if (const auto* config = std::get_if<orchestrator::ConfigAsked>(&ask)) {
        return {
            {"target", to_text(config->target)}, {"patch", audit::redact(audited(config->patch))}};
    }
    return {};
}

colony::Act act_on(const Queen::Ask& ask, const Order& order) {
    json::object facts{{"swarm", swarm_of(ask)}};
    if (auto content = content_of(ask); !content.empty()) facts["content"] = std::move(content);
    return {
        .what = std::string{act_of(ask)},
        .entity_type = "swarm",
        .entity_id = swarm_of(ask),
        .facts = std::move(facts),
        .command = to_stored(order)};
}

// A command of several parts waits as a whole for the first of them that a rule minds.
Result<http::Response> ask_rules(Workplace& place, const Unit& unit, const Order& order) {
    for (const Queen::Ask& ask : order.asks) {
        const auto cares = place.gate().cares(act_of(ask));
        if (!cares) return fail(cares.error());
        if (!*cares) continue;
        const auto held = is_held(place.gate(), act_on(ask, order), place.moment());
        if (!held) return unit.refuse(held.error());
        if (*held) return held_response(place.moment().held());
    }
    return http::Response{.status = 204};
}

} // namespace

asio::awaitable<std::optional<http::Response>>
SwarmGate::ask(SessionParts server, api::Call call, std::shared_ptr<const Order> order) {
    // Most commands concern no rule, and then nothing is written: the question comes first.
    const auto minds = co_await server.transactions.snapshot(
        [order, hive = server.transactions.chronicle().hive(),
         who = colony_actor(*call.principal())](store::Session& session) -> Result<std::string> {
            // Not the kept ones: a snapshot may be older than what they were read from.
            const auto rules = store::ApprovalRuleTable{session, hive}.all();
            if (!rules) return fail(rules.error());
            for (const Queen::Ask& ask : order->asks) {
                if (first_match(*rules, act_on(ask, *order), who) != nullptr) return "yes";
            }
            return "";
        });
    if (!minds) co_return call.fail(minds.error());
    if (minds->empty()) co_return std::nullopt;
    auto answer =
        co_await act_in_colony(server, *colony_, call, [order](Workplace& place, const Unit& unit) {
            return ask_rules(place, unit, *order);
        });
    if (answer.status == 204) co_return std::nullopt; // a rule that allows it
    co_return answer;
}

} // namespace hive::rest

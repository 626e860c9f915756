#include "api/colony/approval_input.hpp"
#include "api/colony/approval_routes.hpp"
#include "api/etag.hpp"
#include "api/rest/audited.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using namespace colony::approvals;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr std::size_t rules_max = 1000;

http::Response rule_response(const Rule& rule, unsigned status = 200) {
    auto response = api::json_response(to_json(rule), status);
    response.headers.add("ETag", api::etag_of_revision(rule.revision));
    if (status == 201) response.headers.add("Location", "/api/v1/approval-rules/" + rule.id);
    return response;
}

Result<Rule> rule_with(const RuleRepository& book, const std::string& id) {
    auto rules = book.all();
    if (!rules) return fail(rules.error());
    const auto found = std::ranges::find(*rules, id, &Rule::id);
    if (found == rules->end()) return fail(Errc::not_found, fmt::format("there is no rule {}", id));
    return *found;
}

void say(Workplace& place, const Rule& rule, std::string type, const json::object& before = {}) {
    place.moment().say(
        {.type = std::move(type),
         .entity_type = "approval-rule",
         .entity_id = rule.id,
         .told = {{"rule", rule.name}},
         .details = {{"after", audited(to_json(rule))}, {"before", audited(before)}}});
}

class RuleDesk {
public:
    RuleDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> list(Call call) const {
        co_return co_await sessions_.transactions.read(
            call, [hive = hive()](store::Session& session) -> Result<http::Response> {
                const auto rules = store::ApprovalRuleTable{session, hive}.all();
                if (!rules) return fail(rules.error());
                json::array items;
                for (const Rule& rule : *rules) items.push_back(to_json(rule));
                return api::json_response(json::object{{"items", std::move(items)}});
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return co_await sessions_.transactions.read(
            call,
            [hive = hive(), id = std::string{call.path("rule")}](
                store::Session& session) -> Result<http::Response> {
                const auto rule = rule_with(store::ApprovalRuleTable{session, hive}, id);
                return rule ? Result<http::Response>{rule_response(*rule)} : fail(rule.error());
            });
    }

    asio::awaitable<http::Response> create(Call call) const {
        const auto wanted = rule_in(call.body().as_object());
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [rule = *wanted](Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                const auto known = place.rules().all();
                if (!known) return fail(known.error());
                if (known->size() >= rules_max) {
                    return fail(Errc::limit, fmt::format("there are {} rules", rules_max));
                }
                rule.id = make_ordered_uuid(unit.now(), place.moment().random());
                rule.created_by = place.actor().id;
                rule.created = rule.changed = unit.now();
                if (auto ok = place.rules().put(rule); !ok) return fail(ok.error());
                place.rules_changed();
                say(place, rule, "approval.rule-created");
                return rule_response(rule, 201);
            });
    }

    asio::awaitable<http::Response> replace(Call call) const {
        const auto wanted = rule_in(call.body().as_object());
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [rule = *wanted, id = std::string{call.path("rule")},
             seen = api::Precondition{call.request()}](
                Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                const auto before = rule_with(place.rules(), id);
                if (!before) return fail(before.error());
                if (const auto stale = seen.check(api::etag_of_revision(before->revision))) {
                    return unit.refuse(*stale);
                }
                rule.id = before->id;
                rule.created_by = before->created_by;
                rule.created = before->created;
                rule.changed = unit.now();
                rule.revision = before->revision + 1;
                if (auto ok = place.rules().put(rule); !ok) return fail(ok.error());
                place.rules_changed();
                say(place, rule, "approval.rule-changed", to_json(*before));
                return rule_response(rule);
            });
    }

    asio::awaitable<http::Response> remove(Call call) const {
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [id = std::string{call.path("rule")}](
                Workplace& place, const Unit& /*unit*/) -> Result<http::Response> {
                const auto before = rule_with(place.rules(), id);
                if (!before) return fail(before.error());
                if (auto gone = place.rules().remove(id); !gone) return fail(gone.error());
                place.rules_changed();
                say(place, *before, "approval.rule-removed");
                return http::Response{.status = 204};
            });
    }

private:
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    SessionParts sessions_;
    ColonyParts* colony_;
};

using Desk = std::shared_ptr<const RuleDesk>;
using Handle = asio::awaitable<http::Response> (RuleDesk::*)(Call) const;

struct Named {
    http::Method method;
    std::string path_end;
    std::string id;
    std::string summary;
    Handle handle;
};

api::Route route(const Desk& desk, Named named) {
    const bool reads = named.method == http::Method::get;
    return {
        .method = named.method,
        .path = "/api/v1/approval-rules" + named.path_end,
        .id = std::move(named.id),
        .summary = std::move(named.summary),
        .tag = "approvals",
        .access = Access::needs(Area::approvals, reads ? Level::read : Level::admin),
        .handler = api::AsyncHandler{[desk, handle = named.handle](Call call) {
            return (desk.get()->*handle)(call);
        }},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

api::Content wanted_content() {
    return {
        .schema = ref("NewApprovalRule"),
        .example = {
            {"name", "starts in production"},
            {"match", {{"acts", {"swarm.start"}}, {"swarms", {"prod-*"}}}},
            {"stages",
             {{{"roles", {"human"}}, {"within", "1h"}},
              {{"people", {"root"}}, {"within", "4h"}}}}}};
}

} // namespace

std::vector<api::Route> approval_rule_routes(const SessionParts& sessions, ColonyParts& colony) {
    using enum http::Method;
    const auto desk = std::make_shared<const RuleDesk>(sessions, colony);
    const api::Content content{.schema = ref("ApprovalRule"), .example = example_rule()};
    std::vector<api::Route> routes;
    routes.push_back(route(
        desk,
        {get, "", "listApprovalRules", "Rules in the order they are asked", &RuleDesk::list}));
    routes.back().answers = {
        {200, "All of them",
         api::Content{
             .schema = list_of("ApprovalRule"),
             .example = {{"items", json::array{example_rule()}}}}}};
    routes.push_back(
        route(desk, {get, "/{rule:uuid}", "getApprovalRule", "One rule", &RuleDesk::show}));
    routes.back().answers = {{200, "The rule", content}};
    routes.back().entity_tag = api::EntityTag::sent;
    routes.push_back(
        route(desk, {post, "", "createApprovalRule", "A new rule", &RuleDesk::create}));
    routes.back().request = wanted_content();
    routes.back().answers = {{201, "Made", content}};
    routes.push_back(route(
        desk,
        {put, "/{rule:uuid}", "replaceApprovalRule",
         "Another rule in its place; requests under way stay as they are", &RuleDesk::replace}));
    routes.back().request = wanted_content();
    routes.back().answers = {{200, "As it is now", content}};
    routes.back().entity_tag = api::EntityTag::matched;
    routes.push_back(route(
        desk, {remove, "/{rule:uuid}", "removeApprovalRule", "It asks nobody any more",
               &RuleDesk::remove}));
    routes.back().answers = {{204, "Gone", {}}};
    return routes;
}

} // namespace hive::rest

#include "api/colony/cost_input.hpp"
#include "api/colony/cost_routes.hpp"
#include "api/etag.hpp"
#include "api/rest/audited.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using namespace colony::costs;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr std::size_t budgets_max = 1000;
constexpr std::size_t spendings_shown = 100;

http::Response budget_response(const Budget& budget, unsigned status = 200) {
    auto response = api::json_response(to_json(budget), status);
    response.headers.add("ETag", api::etag_of_revision(budget.revision));
    if (status == 201) response.headers.add("Location", "/api/v1/budgets/" + budget.id);
    return response;
}

Result<Budget> budget_with(const BudgetRepository& book, const std::string& id) {
    auto budgets = book.all();
    if (!budgets) return fail(budgets.error());
    const auto found = std::ranges::find(*budgets, id, &Budget::id);
    if (found == budgets->end()) {
        return fail(Errc::not_found, fmt::format("there is no budget {}", id));
    }
    return *found;
}

// A budget of one task counts by its id, whatever people call it.
Result<std::optional<colony::Refusal>> resolve_subject(Workplace& place, Budget& budget) {
    if (budget.scope != Scope::task || budget.subject == "*") return std::nullopt;
    const auto task = find_task(place.bench(), budget.subject);
    if (!task) return std::optional{task.error()};
    budget.subject = task->id;
    return std::nullopt;
}

// What was spent stays spent, so it has to be in the same unit.
std::optional<colony::Refusal> check_same_unit(const Budget& before, const Budget& budget) {
    const bool same_money = before.currency.empty() || before.currency == budget.currency;
    if (before.measure == budget.measure && same_money) return std::nullopt;
    const auto unit = [](const Budget& of) {
        return of.currency.empty() ? std::string{name_of(of.measure)} : of.currency;
    };
    return colony::Refusal{
        Errc::conflict,
        "other-unit",
        fmt::format(
            "what was spent of it is in {}, not {}: make another budget", unit(before),
            unit(budget)),
        {}};
}

void say(
    Workplace& place, const Budget& budget, std::string type, const json::object& before = {}) {
    place.moment().say(
        {.type = std::move(type),
         .entity_type = "budget",
         .entity_id = budget.id,
         .told = to_json(budget),
         .details = {{"before", audited(before)}}});
}

class BudgetDesk {
public:
    BudgetDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> list(Call call) const {
        co_return co_await sessions_.transactions.read(
            call, [hive = hive()](store::Session& session) -> Result<http::Response> {
                const auto budgets = store::BudgetTable{session, hive}.all();
                if (!budgets) return fail(budgets.error());
                json::array items;
                for (const Budget& budget : *budgets) items.push_back(to_json(budget));
                return api::json_response(json::object{{"items", std::move(items)}});
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return co_await sessions_.transactions.read(
            call,
            [hive = hive(), id = std::string{call.path("budget")}](
                store::Session& session) -> Result<http::Response> {
                const store::BudgetTable book{session, hive};
                const auto budget = budget_with(book, id);
                if (!budget) return fail(budget.error());
                const auto spent = book.spendings(id, spendings_shown);
                if (!spent) return fail(spent.error());
                json::object out = to_json(*budget);
                auto& items = out["spendings"].emplace_array();
                for (const Spending& one : *spent) items.push_back(to_json(one));
                auto response = api::json_response(out);
                response.headers.add("ETag", api::etag_of_revision(budget->revision));
                return response;
            });
    }

    asio::awaitable<http::Response> create(Call call) const {
        const auto wanted = budget_in(call.body().as_object(), colony_->policy.currency);
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [budget =
                 *wanted](Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                const auto known = place.accounts().budgets.all();
                if (!known) return fail(known.error());
                if (known->size() >= budgets_max) {
                    return fail(Errc::limit, fmt::format("there are {} budgets", budgets_max));
                }
                const auto unknown = resolve_subject(place, budget);
                if (!unknown) return fail(unknown.error());
                if (*unknown) return unit.refuse(**unknown);
                budget.id = make_ordered_uuid(unit.now(), place.moment().random());
                budget.created_by = place.actor().id;
                budget.created = unit.now();
                if (auto ok = place.accounts().budgets.put(budget); !ok) return fail(ok.error());
                place.budgets_changed();
                say(place, budget, "budget.created");
                return budget_response(budget, 201);
            });
    }

    asio::awaitable<http::Response> replace(Call call) const {
        const auto wanted = budget_in(call.body().as_object(), colony_->policy.currency);
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [budget = *wanted, id = std::string{call.path("budget")},
             says_currency = call.body().as_object().contains("currency"),
             seen = api::Precondition{call.request()}](
                Workplace& place, const Unit& unit) mutable -> Result<http::Response> {
                const auto before = budget_with(place.accounts().budgets, id);
                if (!before) return fail(before.error());
                if (const auto stale = seen.check(api::etag_of_revision(before->revision))) {
                    return unit.refuse(*stale);
                }
                const auto unknown = resolve_subject(place, budget);
                if (!unknown) return fail(unknown.error());
                if (*unknown) return unit.refuse(**unknown);
                if (!says_currency && !before->currency.empty()) budget.currency = before->currency;
                if (auto other = check_same_unit(*before, budget)) return unit.refuse(*other);
                budget.id = before->id;
                budget.created_by = before->created_by;
                budget.created = before->created;
                budget.revision = before->revision + 1;
                if (auto ok = place.accounts().budgets.put(budget); !ok) return fail(ok.error());
                place.budgets_changed();
                say(place, budget, "budget.changed", to_json(*before));
                return budget_response(budget);
            });
    }

    asio::awaitable<http::Response> remove(Call call) const {
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [id = std::string{call.path("budget")}](
                Workplace& place, const Unit& /*unit*/) -> Result<http::Response> {
                const auto before = budget_with(place.accounts().budgets, id);
                if (!before) return fail(before.error());
                if (auto gone = place.accounts().budgets.remove(id); !gone) {
                    return fail(gone.error());
                }
                place.budgets_changed();
                say(place, *before, "budget.removed");
                return http::Response{.status = 204};
            });
    }

private:
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    SessionParts sessions_;
    ColonyParts* colony_;
};

using Desk = std::shared_ptr<const BudgetDesk>;
using Handle = asio::awaitable<http::Response> (BudgetDesk::*)(Call) const;

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
        .path = "/api/v1/budgets" + named.path_end,
        .id = std::move(named.id),
        .summary = std::move(named.summary),
        .tag = "costs",
        .access = Access::needs(Area::costs, reads ? Level::read : Level::admin),
        .handler = api::AsyncHandler{[desk, handle = named.handle](Call call) {
            return (desk.get()->*handle)(call);
        }},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

} // namespace

std::vector<api::Route> budget_routes(const SessionParts& sessions, ColonyParts& colony) {
    using enum http::Method;
    const auto desk = std::make_shared<const BudgetDesk>(sessions, colony);
    const api::Content content{.schema = ref("Budget"), .example = example_budget()};
    const api::Content wanted{
        .schema = ref("NewBudget"),
        .example = {
            {"name", "a bee's day"},
            {"scope", "bee"},
            {"currency", "USD"},
            {"limit", 5'000'000},
            {"action", "ask"},
            {"deciders", {{"roles", {"human"}}, {"within", "4h"}}}}};
    std::vector<api::Route> routes;
    routes.push_back(route(desk, {get, "", "listBudgets", "All budgets", &BudgetDesk::list}));
    routes.back().answers = {
        {200, "All of them",
         api::Content{
             .schema = list_of("Budget"), .example = {{"items", json::array{example_budget()}}}}}};
    routes.push_back(route(
        desk, {get, "/{budget:uuid}", "getBudget", "One budget, and what was spent of it",
               &BudgetDesk::show}));
    routes.back().answers = {{200, "The budget", content}};
    routes.back().entity_tag = api::EntityTag::sent;
    routes.push_back(route(
        desk, {post, "", "createBudget", "How much somebody may spend", &BudgetDesk::create}));
    routes.back().request = wanted;
    routes.back().answers = {{201, "Made", content}};
    routes.push_back(route(
        desk, {put, "/{budget:uuid}", "replaceBudget",
               "Another one in its place; what was spent stays spent", &BudgetDesk::replace}));
    routes.back().request = wanted;
    routes.back().answers = {{200, "As it is now", content}};
    routes.back().entity_tag = api::EntityTag::matched;
    routes.push_back(route(
        desk, {remove, "/{budget:uuid}", "removeBudget", "It limits nobody any more",
               &BudgetDesk::remove}));
    routes.back().answers = {{204, "Gone", {}}};
    return routes;
}

} // namespace hive::rest

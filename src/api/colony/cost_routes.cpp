#include "api/colony/cost_routes.hpp"

#include "api/colony/budget_keeper.hpp"
#include "api/colony/cost_input.hpp"
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::costs;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

Result<std::optional<Timestamp>> time_parameter(const Call& call, std::string_view name) {
    const auto text = call.text(name);
    if (!text) return std::optional<Timestamp>{};
    const auto time = parse_timestamp(*text);
    if (!time) return fail(Errc::invalid, fmt::format("{}: {}", name, time.error().detail));
    return std::optional{*time};
}

struct Span {
    std::optional<Timestamp> from{};
    std::optional<Timestamp> to{};
};
Result<Span> span_parameters(const Call& call) {
    const auto from = time_parameter(call, "from");
    if (!from) return fail(from.error());
    const auto to = time_parameter(call, "to");
    if (!to) return fail(to.error());
    return Span{*from, *to};
}

// The record, and which budgets could not count it: nobody adds up two currencies silently.
json::object told_of(const Booked& booked) {
    json::object out = to_json(booked.usage);
    for (const Budget& budget : booked.not_counted) {
        auto& all = out["notCounted"];
        if (all.is_null()) all.emplace_array();
        all.as_array().push_back(
            {{"budget", budget.id}, {"name", budget.name}, {"currency", budget.currency}});
    }
    return out;
}

class CostDesk {
public:
    CostDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> record(Call call) const {
        const auto wanted = usage_in(call.body().as_object());
        if (!wanted) co_return call.fail(wanted.error());
        co_return co_await act_in_colony(
            sessions_, *colony_, call,
            [wanted = *wanted](Workplace& place, const Unit& unit) -> Result<http::Response> {
                const auto booked = book(place, wanted);
                return answer(unit, booked, [](const Booked& done) {
                    return api::json_response(told_of(done), done.repeated ? 200 : 201);
                });
            });
    }

    asio::awaitable<http::Response> list(Call call) const {
        const auto span = span_parameters(call);
        if (!span) co_return call.fail(span.error());
        UsageQuery query{
            .task = std::string{call.text("task").value_or("")},
            .bee = std::string{call.text("bee").value_or("")},
            .model = std::string{call.text("model").value_or("")},
            .run = std::string{call.text("run").value_or("")},
            .from = span->from,
            .to = span->to,
            .limit = static_cast<std::size_t>(*call.integer("limit"))};
        const std::string listing = fmt::format(
            "costs?{}&{}&{}&{}&{}&{}", query.task, query.bee, query.model, query.run,
            call.text("from").value_or(""), call.text("to").value_or(""));
        if (const auto cursor = call.text("cursor")) {
            auto after = sessions_.cursors.decode(listing, *cursor);
            if (!after) co_return call.fail(after.error());
            query.after = *std::move(after);
        }
        co_return co_await sessions_.transactions.read(
            call,
            [query, listing, hive = hive(), cursors = &sessions_.cursors,
             following = api::NextPage{call.request()}](
                store::Session& session) mutable -> Result<http::Response> {
                if (!query.task.empty()) {
                    // People say the ref, records have the id.
                    const auto task = store::TaskTable{session, hive}.find(query.task);
                    if (!task) return fail(task.error());
                    if (*task) query.task = (*task)->id;
                }
                const auto found = store::UsageTable{session, hive}.list(query);
                if (!found) return fail(found.error());
                json::array items;
                for (const Usage& usage : *found) items.push_back(to_json(usage));
                const bool more = found->size() == query.limit;
                return following.page(
                    std::move(items),
                    more ? cursors->encode(listing, found->back().id) : std::string{});
            });
    }

    asio::awaitable<http::Response> summary(Call call) const {
        const auto span = span_parameters(call);
        if (!span) co_return call.fail(span.error());
        const auto by = parse_grouping(*call.text("by"));
        if (!by) co_return call.fail(by.error());
        SummaryQuery query{
            .by = *by,
            .from = span->from,
            .to = span->to,
            .limit = static_cast<std::size_t>(*call.integer("limit")),
            .currency = colony_->policy.currency};
        const std::string listing = fmt::format(
            "cost-summary?{}&{}&{}", name_of(*by), call.text("from").value_or(""),
            call.text("to").value_or(""));
        if (const auto cursor = call.text("cursor")) {
            auto after = sessions_.cursors.decode(listing, *cursor);
            if (!after) co_return call.fail(after.error());
            query.after = *std::move(after);
        }
        co_return co_await sessions_.transactions.read(
            call,
            [query, listing, hive = hive(), cursors = &sessions_.cursors,
             following =
                 api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
                const auto sums = store::UsageTable{session, hive}.summary(query);
                if (!sums) return fail(sums.error());
                json::array items;
                for (const Sum& sum : *sums) {
                    json::object item = to_json(sum, query.by);
                    if (auto ok = name_task(session, hive, item); !ok) return fail(ok.error());
                    items.push_back(std::move(item));
                }
                const bool more = sums->size() == query.limit && !sums->back().group.empty();
                return following.page(
                    std::move(items),
                    more ? cursors->encode(listing, sums->back().group) : std::string{});
            });
    }

private:
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    // Beside its id, what people call it.
    static Status name_task(store::Session& session, const HiveId& hive, json::object& item) {
        const auto* id = item.if_contains("task");
        if (id == nullptr || id->as_string().empty()) return {};
        const auto task = store::TaskTable{session, hive}.find(id->as_string());
        if (!task) return fail(task.error());
        if (*task) item["taskRef"] = (*task)->ref;
        return {};
    }

    SessionParts sessions_;
    ColonyParts* colony_;
};

using Desk = std::shared_ptr<const CostDesk>;

std::vector<api::QueryParameter> time_and_paging() {
    return {
        {.name = "from", .description = "RFC 3339"},
        {.name = "to", .description = "RFC 3339; before this time"},
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
}

api::Route reading(std::string path, std::string id, std::string summary) {
    return {
        .path = std::move(path),
        .id = std::move(id),
        .summary = std::move(summary),
        .tag = "costs",
        .access = Access::needs(Area::costs, Level::read),
        .handler = {}};
}

} // namespace

std::vector<api::Route> cost_routes(const SessionParts& sessions, ColonyParts& colony) {
    const auto desk = std::make_shared<const CostDesk>(sessions, colony);
    std::vector<api::Route> routes;
    const api::Content content{.schema = ref("Usage"), .example = example_usage()};
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/costs",
         .id = "recordCost",
         .summary = "What was used: tokens, CPU, money, energy",
         .tag = "costs",
         .access = Access::needs(Area::costs, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->record(call); }},
         .request =
             api::Content{
                 .schema = ref("NewUsage"),
                 .example =
                     {{"key", "call-7f3a"},
                      {"model", "small-1"},
                      {"tokens", {{"input", 1200}, {"output", 300}}}}},
         .answers = {{201, "Booked", content}, {200, "It was booked before", content}},
         .idempotency = api::Idempotency::accepted});

    auto list = reading("/api/v1/costs", "listCosts", "Records, the newest first");
    list.handler = api::AsyncHandler{[desk](Call call) { return desk->list(call); }};
    list.query = time_and_paging();
    for (const auto* name : {"task", "bee", "model", "run"}) list.query.push_back({.name = name});
    list.answers = {
        {200, "A page",
         api::Content{
             .schema = list_of("Usage"), .example = {{"items", json::array{example_usage()}}}}}};
    routes.push_back(std::move(list));

    auto summary = reading("/api/v1/costs/summary", "summarizeCosts", "Sums by one thing");
    summary.handler = api::AsyncHandler{[desk](Call call) { return desk->summary(call); }};
    summary.query = time_and_paging();
    summary.query.push_back(
        {.name = "by", .description = "task, bee, model or day", .fallback = std::string{"day"}});
    summary.answers = {
        {200, "A page",
         api::Content{
             .schema = list_of("CostSum"),
             .example = {
                 {"items",
                  {{{"day", "2026-01-05"},
                    {"records", 40},
                    {"micros", 512'000},
                    {"currency", "USD"},
                    {"otherMoney", {{"EUR", 20'000}}},
                    {"tokens", {{"input", 90'000}, {"output", 12'000}}}}}}}}}};
    routes.push_back(std::move(summary));
    return routes;
}

} // namespace hive::rest

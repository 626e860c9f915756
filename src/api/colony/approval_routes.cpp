#include "api/colony/approval_routes.hpp"

#include "api/colony/approval_carrier.hpp"
#include "api/colony/approval_desk.hpp"
#include "api/rest/schemas.hpp"
#include "colony/approvals/deciding.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::approvals;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

using Desk = std::shared_ptr<const ApprovalDesk>;
using Routes = std::vector<api::Route>;
using Handle = asio::awaitable<http::Response> (ApprovalDesk::*)(Call) const;

api::AsyncHandler handler(const Desk& desk, Handle handle) {
    return [desk, handle](Call call) { return (desk.get()->*handle)(call); };
}

api::Content approval_content() {
    return {.schema = ref("Approval"), .example = example_approval()};
}

void add_reading(Routes& routes, const Desk& desk) {
    const auto reading = [&](std::string path, std::string id, std::string summary, Handle handle) {
        return api::Route{
            .path = std::move(path),
            .id = std::move(id),
            .summary = std::move(summary),
            .tag = "approvals",
            .access = Access::needs(Area::approvals, Level::read),
            .handler = handler(desk, handle)};
    };
    auto list = reading(
        "/api/v1/approvals", "listApprovals", "Requests for approval, the newest first",
        &ApprovalDesk::list);
    list.query = {
        {.name = "state", .description = "open, approved, denied, timed_out, withdrawn"},
        {.name = "requester"},
        {.name = "act", .description = "such as `swarm.start`"},
        {.name = "entity", .description = "the id of what it is about"},
        {.name = "rule", .description = "the id of the rule that asked for it"},
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
    list.answers = {
        {200, "A page",
         api::Content{
             .schema = list_of("Approval"),
             .example = {{"items", json::array{example_approval()}}}}}};
    routes.push_back(std::move(list));

    auto show = reading(
        "/api/v1/approvals/{approval:uuid}", "getApproval", "One request, with its votes",
        &ApprovalDesk::show);
    show.answers = {{200, "The request", approval_content()}};
    routes.push_back(std::move(show));
}

constexpr Duration link_kept = std::chrono::hours{24}; // after it expired

// Something that is done to one request.
struct Operation {
    std::string_view word;
    std::string_view id;
    std::string_view summary;
    Access access;
    std::string_view schema;
    json::object example;
    Handle handle;
};

std::vector<Operation> operations() {
    const Access working = Access::needs(Area::tasks, Level::write);
    return {
        {"decision",
         "decideApproval",
         "Approve or deny; one denial is enough",
         Access::needs(Area::approvals, Level::write),
         "ApprovalDecision",
         {{"verdict", "approve"}, {"comment", "looks right"}},
         &ApprovalDesk::decide},
        {"override",
         "overrideApproval",
         "An admin ends it, whatever the rule says, and says why",
         Access::needs(Area::approvals, Level::admin),
         "ApprovalOverride",
         {{"verdict", "approve"}, {"reason", "outage; nobody else is awake"}},
         &ApprovalDesk::override_it},
        {"withdraw",
         "withdrawApproval",
         "Whoever asked does not want it any more",
         working,
         "ApprovalReason",
         {{"reason", "found another way"}},
         &ApprovalDesk::withdraw},
        {"evidence",
         "addApprovalEvidence",
         "More to decide by",
         working,
         "ApprovalEvidence",
         {{"evidence",
           {{{"kind", "link"}, {"title", "diff"}, {"value", "https://example.org/diff/1"}}}}},
         &ApprovalDesk::add_evidence}};
}

void add_changing(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/approvals",
         .id = "askForApproval",
         .summary = "A question to people; it holds nothing back by itself",
         .tag = "approvals",
         .access = Access::needs(Area::tasks, Level::write),
         .handler = handler(desk, &ApprovalDesk::ask),
         .request =
             api::Content{
                 .schema = ref("ApprovalQuestion"),
                 .example = {{"subject", "May I delete the old index?"}, {"within", "2h"}}},
         .answers = {{201, "Asked", approval_content()}},
         .idempotency = api::Idempotency::accepted});
    for (auto& operation : operations()) {
        routes.push_back(
            {.method = http::Method::post,
             .path = fmt::format("/api/v1/approvals/{{approval:uuid}}/{}", operation.word),
             .id = std::string{operation.id},
             .summary = std::string{operation.summary},
             .tag = "approvals",
             .access = operation.access,
             .handler = handler(desk, operation.handle),
             .request =
                 api::Content{
                     .schema = ref(operation.schema),
                     .example = std::move(operation.example),
                     .required = operation.word != "withdraw"},
             .answers = {{200, "As it is now", approval_content()}},
             .idempotency = api::Idempotency::accepted});
    }
}

void add_links(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/approvals/{approval:uuid}/links",
         .id = "createApprovalLink",
         .summary = "A link that decides once, in the name of whoever asks for it",
         .tag = "approvals",
         .access = Access::needs(Area::approvals, Level::write),
         .handler = handler(desk, &ApprovalDesk::make_link),
         .request =
             api::Content{
                 .schema = ref("ApprovalLinkWish"),
                 .example = {{"validFor", "30m"}},
                 .required = false},
         .answers = {
             {201, "The link; it is shown here and nowhere else",
              api::Content{
                  .schema = ref("ApprovalLink"),
                  .example = {
                      {"url", "https://hive.example/approve?word=…"},
                      {"person", "alice"},
                      {"expires", "2026-01-05T11:00:00Z"}}}}}});
    const std::vector<api::QueryParameter> word{
        {.name = "word", .range = {1, 128}, .required = true}};
    const api::Content page{
        .schema = {{"type", "string"}}, .example = "<!doctype html>…", .type = "text/html"};
    const std::vector<api::Answer> answers{
        {200, "A page without script", page},
        {404, "No such link", page},
        {410, "It was used, has expired, or the request is over", page}};
    routes.push_back(
        {.path = "/approve",
         .id = "showApprovalLink",
         .summary = "What a decision link is about; looking decides nothing",
         .tag = "approvals",
         .access = Access::open_to_all(),
         .handler = handler(desk, &ApprovalDesk::show_link),
         .query = word,
         .answers = answers,
         .rate_class = "login"});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/approve",
         .id = "followApprovalLink",
         .summary = "The decision of a link's form",
         .tag = "approvals",
         .access = Access::open_to_all(),
         .handler = handler(desk, &ApprovalDesk::follow_link),
         .query = word,
         .request =
             api::Content{
                 .schema = {{"type", "object"}},
                 .example = "verdict=approve&comment=fine",
                 .type = "application/x-www-form-urlencoded"},
         .answers = answers,
         .limits = {.body_bytes = std::size_t{16} << 10U},
         .rate_class = "login"});
}

} // namespace

std::vector<api::Route> approval_routes(const SessionParts& sessions, ColonyParts& colony) {
    const auto desk = std::make_shared<const ApprovalDesk>(sessions, colony);
    Routes routes;
    add_reading(routes, desk);
    add_changing(routes, desk);
    add_links(routes, desk);
    return routes;
}

Chore approval_chore(const HiveId& hive, ColonyParts& colony) {
    constexpr std::size_t at_once = 100;
    const auto work = [&colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        place.rules_changed(); // perhaps, by another server
        place.budgets_changed();
        auto over = run_out(place.council(), at_once);
        if (!over) return fail(over.error().kind, over.error().detail);
        for (Approval& approval : *over) {
            const auto carried = carry_out(place, approval);
            if (!carried) return fail(carried.error().kind, carried.error().detail);
        }
        if (auto ok = place.council().links.forget(unit.now() - link_kept); !ok) return ok;
        const auto left = place.leave({});
        return left ? Status{} : fail(left.error());
    };
    return {.name = "approvals", .every = std::chrono::seconds{1}, .work = as_chore(hive, work)};
}

} // namespace hive::rest

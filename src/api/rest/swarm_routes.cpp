#include "api/rest/swarm_routes.hpp"

#include "api/etag.hpp"
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_json.hpp"
#include "api/rest/swarm_route_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using orchestrator::Phase;
using orchestrator::SwarmReportPtr;

constexpr std::size_t snapshot_max = 1000;

Freshness freshness(const SwarmCourt& court, const Clock& clock) {
    return {clock.wall(), court.settings().silent_after};
}

struct ListParts {
    SwarmCourt* court;
    const Clock* clock;
    const api::CursorCodec* cursors;
};

http::Response list_swarms(const ListParts& parts, const Call& call) {
    const auto limit = static_cast<std::size_t>(*call.integer("limit"));
    const std::string phase{call.text("phase").value_or("")};
    const std::string listing = "swarms?phase=" + phase;
    std::string after;
    if (const auto cursor = call.text("cursor")) {
        auto position = parts.cursors->decode(listing, *cursor);
        if (!position) return call.fail(position.error());
        after = *std::move(position);
    }
    const Freshness fresh = freshness(*parts.court, *parts.clock);
    json::array items;
    std::string last;
    for (const SwarmReportPtr& report : parts.court->swarms()) {
        const auto& swarm = report->swarm;
        // What was removed is listed to who asks for it.
        const bool wanted =
            phase.empty() ? swarm.phase != Phase::removed : name_of(swarm.phase) == phase;
        if (!wanted || swarm.id.text() <= after) continue;
        if (items.size() == limit) {
            return api::NextPage{call.request()}.page(
                std::move(items), parts.cursors->encode(listing, last));
        }
        items.push_back(swarm_summary(*report, fresh));
        last = swarm.id.text();
    }
    return api::json_response(json::object{{"items", std::move(items)}});
}

http::Response show_swarm(const ListParts& parts, const Call& call) {
    const auto report = present(*parts.court, call.path("swarmId"));
    if (!report) return call.fail(report.error());
    return api::with_etag(
        call.request(),
        api::json_response(swarm_details(**report, freshness(*parts.court, *parts.clock))));
}

json::object example_summary() {
    return {
        {"id", "alpha"},
        {"phase", "Running"},
        {"wish", "running"},
        {"health", "Healthy"},
        {"run", "run-4f1c9a2e77d0"},
        {"stale", false},
        {"allowed", {"stop", "config", "remove"}},
        {"totals", {{"total", 4}, {"healthy", 4}, {"running", 4}, {"enabled", 4}}},
        {"receivedAt", "2026-01-05T10:00:00Z"}};
}

json::object example_details() {
    json::object out = example_summary();
    out["controller"] = "alpha-marshal";
    out["template"] = {{"bees", json::array{json::object{{"role", "generator"}}}}};
    out["plan"] = json::object{};
    out["creation"] = {{"correlationId", "c-1"}, {"status", "Ready"}};
    out["aggregate"] = {{"health", "Healthy"}, {"workers", json::array{}}};
    return out;
}

void add_reading_routes(Routes& routes, const ListParts& parts) {
    routes.push_back(
        {.path = "/api/v1/swarms",
         .id = "listSwarms",
         .summary = "Swarms by id",
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::read),
         .handler =
             api::SyncHandler{[parts](const Call& call) { return list_swarms(parts, call); }},
         .query =
             {{.name = "phase", .description = "only those in this phase, such as `Running`"},
              {.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers = {
             {200, "A page",
              api::Content{
                  .schema = list_of("SwarmSummary"),
                  .example = {{"items", json::array{example_summary()}}}}}}});
    routes.push_back(
        {.path = "/api/v1/swarms/{swarmId:SwarmId}",
         .id = "getSwarm",
         .summary = "One swarm with what its controller says of it",
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::SyncHandler{[parts](const Call& call) { return show_swarm(parts, call); }},
         .answers =
             {{200, "The swarm",
               api::Content{.schema = ref("Swarm"), .example = example_details()}}},
         .entity_tag = api::EntityTag::cached});
}

asio::awaitable<Result<std::string>> snapshot_of(const SwarmCourt* court, const Clock* clock) {
    const Freshness fresh = freshness(*court, *clock);
    json::array items;
    for (const SwarmReportPtr& report : court->swarms()) {
        if (report->swarm.phase == Phase::removed) continue;
        if (items.size() == snapshot_max) break;
        items.push_back(swarm_summary(*report, fresh));
    }
    co_return to_text(items);
}

} // namespace

Result<SwarmReportPtr> present(const SwarmCourt& court, std::string_view id) {
    const auto swarm = SwarmId::parse(id);
    if (!swarm) return fail(swarm.error());
    const SwarmReportPtr report = court.find(*swarm);
    if (report && report->swarm.phase != Phase::removed) return report;
    return fail(
        Errc::not_found,
        report ? fmt::format("swarm '{}' was removed; its journal is under its run", id)
               : fmt::format("there is no swarm '{}'", id));
}

api::SnapshotSource swarm_snapshot(SwarmCourt& court, const Clock& clock) {
    return {
        "swarm", [&court, &clock](const api::Identity&) { return snapshot_of(&court, &clock); }};
}

std::function<std::vector<api::Route>(const SessionParts&)> swarm_routes(SwarmRouteParts parts) {
    return [parts](const SessionParts& server) {
        const auto commands = std::make_shared<const CommandDesk>(parts.court, server, parts.gate);
        Routes routes;
        add_reading_routes(routes, {&parts.court, &server.transactions.clock(), &server.cursors});
        add_swarm_command_routes(routes, commands, parts.read_order);
        add_component_routes(routes, commands);
        add_swarm_manager_routes(routes, commands);
        add_control_plane_routes(routes, commands);
        add_journal_routes(routes, server.transactions, server.cursors);
        add_run_routes(routes, server.transactions, server.cursors, parts.book);
        add_tap_routes(routes, parts.taps, commands);
        return routes;
    };
}

} // namespace hive::rest

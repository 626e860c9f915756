// The lives of swarms: listed, annotated, pinned, and what they measured.
#include "api/etag.hpp"
#include "api/page.hpp"
#include "api/rest/audited.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_json.hpp"
#include "api/rest/swarm_route_groups.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using store::RunQuery;
using store::RunRow;
using store::SwarmTable;

class RunDesk {
public:
    RunDesk(Transactions& transactions, const api::CursorCodec& cursors, const RunBook& book)
        : transactions_{&transactions}, cursors_{&cursors}, book_{&book},
          hive_{transactions.chronicle().hive()} {}

    asio::awaitable<http::Response> list(Call call) const {
        RunQuery query{.limit = static_cast<std::size_t>(*call.integer("limit"))};
        if (const auto swarm = call.text("swarm")) query.swarm = std::string{*swarm};
        if (call.flag("pinned")) query.pinned = true;
        const std::string listing =
            fmt::format("runs?swarm={}&pinned={}", query.swarm.value_or(""), call.flag("pinned"));
        if (const auto cursor = call.text("cursor")) {
            const auto position = cursors_->decode(listing, *cursor);
            if (!position) co_return call.fail(position.error());
            query.before = position_of(*position);
        }
        co_return co_await transactions_->read(
            call,
            [query, listing, hive = hive_, cursors = cursors_,
             following =
                 api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
                const auto runs = SwarmTable{session, hive}.runs(query);
                if (!runs) return fail(runs.error());
                json::array items;
                for (const RunRow& run : *runs) items.push_back(to_json(run));
                const std::string next = runs->size() == query.limit
                                             ? cursors->encode(listing, position_text(runs->back()))
                                             : std::string{};
                return following.page(std::move(items), next);
            });
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return api::with_etag(
            call.request(), co_await transactions_->read(
                                call,
                                [id = std::string{call.path("runId")},
                                 hive = hive_](store::Session& session) -> Result<http::Response> {
                                    const auto run = found(session, hive, id);
                                    if (!run) return fail(run.error());
                                    return api::json_response(to_json(*run));
                                }));
    }

    // Of a swarm that is there up to now, of others as the journal has it.
    asio::awaitable<http::Response> report(Call call) const {
        const std::string id{call.path("runId")};
        if (const auto current = book_->report(id)) co_return api::json_response(*current);
        co_return co_await transactions_->read(
            call, [id, hive = hive_](store::Session& session) -> Result<http::Response> {
                const auto run = found(session, hive, id);
                if (!run) return fail(run.error());
                const auto kept = store::JournalTable{session, hive}.page(
                    {.run = id,
                     .kind = std::string{measure_kind},
                     .type = std::string{report_type},
                     .limit = 1});
                if (!kept) return fail(kept.error());
                if (kept->rows.empty()) {
                    return fail(
                        Errc::not_found,
                        fmt::format("run '{}' has measured no calls: it has no report", id));
                }
                return api::json_response(to_json(kept->rows.front()).at("data"));
            });
    }

    asio::awaitable<http::Response> patch(Call call) const {
        const json::object& body = call.body().as_object();
        store::RunPatch patch;
        if (const auto* labels = body.if_contains("labels")) patch.labels = labels->as_object();
        if (const auto* notes = body.if_contains("notes")) {
            patch.notes = std::string{notes->as_string()};
        }
        if (const auto* pinned = body.if_contains("pinned")) patch.pinned = pinned->as_bool();
        co_return co_await transactions_->change(
            call,
            [id = std::string{call.path("runId")}, patch, seen = api::Precondition{call.request()},
             hive = hive_](Change& change) -> Result<http::Response> {
                const auto before = found(change.session(), hive, id);
                if (!before) return fail(before.error());
                if (const auto problem = seen.check(tag_of(*before))) {
                    return change.refuse(*problem);
                }
                auto ok = SwarmTable{change.session(), hive}.patch_run(id, patch);
                if (!ok) return fail(ok.error());
                const auto after = found(change.session(), hive, id);
                if (!after) return fail(after.error());
                ok = change.record(
                    {.action = "swarm.run.changed",
                     .entity_type = "run",
                     .entity_id = id,
                     .details = {
                         {"before", audited(changed_in(*before, patch))},
                         {"after", audited(changed_in(*after, patch))}}});
                if (!ok) return fail(ok.error());
                http::Response response = api::json_response(to_json(*after));
                response.headers.add("ETag", tag_of(*after));
                return response;
            });
    }

private:
    static Result<RunRow>
    found(store::Session& session, const HiveId& hive, const std::string& id) {
        auto run = SwarmTable{session, hive}.find_run(id);
        if (!run) return fail(run.error());
        if (!*run) return fail(Errc::not_found, fmt::format("there is no run '{}'", id));
        return std::move(**run);
    }
    static std::string tag_of(const RunRow& run) {
        return api::etag_of_content(to_text(to_json(run)));
    }
    // What a patch is about, as this run has it.
    static json::object changed_in(const RunRow& run, const store::RunPatch& patch) {
        json::object out;
        if (patch.labels) out["labels"] = run.labels;
        if (patch.notes) out["notes"] = run.notes;
        if (patch.pinned) out["pinned"] = run.pinned;
        return out;
    }
    static std::string position_text(const RunRow& run) {
        return fmt::format("{} {}", run.created.time_since_epoch().count(), run.id);
    }
    static RunQuery::Position position_of(std::string_view text) {
        std::int64_t created = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), created).ptr;
        const auto used = static_cast<std::size_t>(end - text.data());
        return {
            Timestamp{Duration{created}},
            std::string{text.substr(std::min(used + 1, text.size()))}};
    }

    Transactions* transactions_;
    const api::CursorCodec* cursors_;
    const RunBook* book_;
    HiveId hive_;
};

const json::object example_run{
    {"id", "run-4f1c9a2e77d0"},
    {"swarm", "alpha"},
    {"created", "2026-01-05T10:00:00Z"},
    {"who", "human:alice"},
    {"labels", {{"ticket", "PH-4"}}},
    {"notes", ""},
    {"pinned", false}};

const json::object example_latency{{"p50", 4100},   {"p90", 5200},  {"p95", 6100}, {"p99", 9800},
                                   {"p999", 14000}, {"max", 21000}, {"mean", 4400}};
const json::object example_report{
    {"began", "2026-01-05T10:00:02Z"},
    {"upTo", "2026-01-05T10:00:12Z"},
    {"busySec", 10},
    {"calls", 400},
    {"failed", 2},
    {"ratePerSec", 40},
    {"latencyUs", example_latency},
    {"upperBound", false},
    {"byStatus", {{"200", 398}, {"503", 2}}},
    {"course", json::array{json::object{
                   {"atSec", 5},
                   {"ratePerSec", 40},
                   {"failedPerSec", 0.2},
                   {"p50Us", 4100},
                   {"p95Us", 6100},
                   {"p99Us", 9800}}}}};

api::Content run_content() {
    return {.schema = ref("Run"), .example = example_run};
}

} // namespace

void add_run_routes(
    Routes& routes, Transactions& transactions, const api::CursorCodec& cursors,
    const RunBook& book) {
    const auto desk = std::make_shared<const RunDesk>(transactions, cursors, book);
    routes.push_back(
        {.path = "/api/v1/runs",
         .id = "listRuns",
         .summary = "The lives of swarms, from creation to removal, newest first",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->list(call); }},
         .query =
             {{.name = "swarm", .description = "only of this swarm"},
              {.name = "pinned",
               .kind = api::ParameterKind::flag,
               .description = "only those that are never cleared out"},
              {.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers = {
             {200, "A page",
              api::Content{
                  .schema = list_of("Run"), .example = {{"items", json::array{example_run}}}}}}});
    routes.push_back(
        {.path = "/api/v1/runs/{runId:id}",
         .id = "getRun",
         .summary = "One life of a swarm",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->show(call); }},
         .answers = {{200, "The run", run_content()}},
         .entity_tag = api::EntityTag::cached});
    routes.push_back(
        {.path = "/api/v1/runs/{runId:id}/report",
         .id = "getRunReport",
         .summary = "What a run measured: calls, failures, latency, and how they went over time",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->report(call); }},
         .answers = {
             {200, "The report, up to now while its swarm is there",
              api::Content{.schema = ref("RunReport"), .example = example_report}}}});
    routes.push_back(
        {.method = http::Method::patch,
         .path = "/api/v1/runs/{runId:id}",
         .id = "patchRun",
         .summary = "Labels, notes, and whether it is kept for good",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->patch(call); }},
         .request =
             api::Content{
                 .schema = ref("RunPatch"),
                 .example = {{"labels", {{"ticket", "PH-4"}}}, {"pinned", true}}},
         .answers = {{200, "The run as it is now", run_content()}},
         .idempotency = api::Idempotency::accepted,
         .entity_tag = api::EntityTag::matched});
}

} // namespace hive::rest

// What swarms went through: the journal, of one swarm and of the whole hive.
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_json.hpp"
#include "api/rest/swarm_route_groups.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using orchestrator::Severity;
using store::JournalQuery;

struct Parts {
    Transactions* transactions;
    const api::CursorCodec* cursors;
};

std::optional<std::string> text_if(const Call& call, std::string_view name) {
    const auto found = call.text(name);
    return found ? std::optional{std::string{*found}} : std::nullopt;
}

Result<std::int64_t> severity_of(std::string_view text) {
    for (const Severity one : {Severity::info, Severity::warn, Severity::error}) {
        if (name_of(one) == text) return static_cast<std::int64_t>(one);
    }
    return fail(Errc::invalid, fmt::format("severity: info, warn or error, not '{}'", text));
}

Status read_time(const Call& call, std::string_view name, std::optional<Timestamp>& into) {
    const auto text = call.text(name);
    if (!text) return {};
    const auto time = parse_timestamp(*text);
    if (!time) return fail(Errc::invalid, fmt::format("{}: {}", name, time.error().detail));
    into = *time;
    return {};
}

Result<JournalQuery> query_of(const Call& call) {
    JournalQuery query{
        .run = text_if(call, "run"),
        .kind = text_if(call, "kind"),
        .type = text_if(call, "type"),
        .correlation_id = text_if(call, "correlationId"),
        .limit = static_cast<std::size_t>(*call.integer("limit"))};
    if (const auto severity = call.text("severity")) {
        const auto least = severity_of(*severity);
        if (!least) return fail(least.error());
        query.severity_min = *least;
    }
    if (auto ok = read_time(call, "since", query.since); !ok) return fail(ok.error());
    if (auto ok = read_time(call, "until", query.until); !ok) return fail(ok.error());
    if (const auto after = call.integer("after")) query.after = static_cast<std::uint64_t>(*after);
    return query;
}

// Pages of one question follow each other; a cursor of another question is refused.
std::string listing_of(const Call& call, const JournalQuery& query) {
    std::string listing = fmt::format("journal {}", query.swarm.value_or(""));
    for (const char* name :
         {"run", "kind", "type", "correlationId", "severity", "since", "until"}) {
        listing += fmt::format("&{}={}", name, call.text(name).value_or(""));
    }
    return listing;
}

Status continue_at(const Parts& parts, const Call& call, JournalQuery& query) {
    const auto cursor = call.text("cursor");
    if (!cursor) return {};
    if (query.after) return fail(Errc::invalid, "cursor: goes back in time, `after` forward");
    const auto position = parts.cursors->decode(listing_of(call, query), *cursor);
    if (!position) return fail(position.error());
    std::uint64_t before = 0;
    std::from_chars(position->data(), position->data() + position->size(), before);
    query.before = before;
    return {};
}

asio::awaitable<http::Response> page(Parts parts, Call call, std::optional<std::string> swarm) {
    auto query = query_of(call);
    if (!query) co_return call.fail(query.error());
    query->swarm = std::move(swarm);
    if (auto ok = continue_at(parts, call, *query); !ok) co_return call.fail(ok.error());
    const std::string listing = listing_of(call, *query);
    const HiveId hive = parts.transactions->chronicle().hive();
    co_return co_await parts.transactions->read(
        call,
        [query = *query, listing, hive, cursors = parts.cursors,
         following =
             api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
            const auto found = store::JournalTable{session, hive}.page(query);
            if (!found) return fail(found.error());
            json::array items;
            for (const auto& row : found->rows) items.push_back(to_json(row));
            std::string next;
            if (found->more && !query.after) {
                next = cursors->encode(listing, std::to_string(found->rows.back().sequence));
            }
            return following.page(std::move(items), next);
        });
}

std::vector<api::QueryParameter> filters() {
    return {
        {.name = "run", .description = "only this run"},
        {.name = "kind", .description = "signal, outcome, alert, transition, request or measure"},
        {.name = "type", .description = "such as `swarm-start`"},
        {.name = "correlationId"},
        {.name = "severity", .description = "at least: info, warn, error"},
        {.name = "since", .description = "RFC 3339, included"},
        {.name = "until", .description = "RFC 3339, not included"},
        {.name = "after",
         .kind = api::ParameterKind::integer,
         .description = "oldest first, from above this sequence: for following",
         .range = {0, std::numeric_limits<std::int64_t>::max()}},
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
}

std::vector<api::Answer> answers() {
    const json::object entry{
        {"sequence", 42},    {"time", "2026-01-05T10:00:00Z"}, {"severity", "info"},
        {"swarm", "alpha"},  {"run", "run-4f1c9a2e77d0"},      {"kind", "transition"},
        {"type", "Running"}, {"origin", "orchestrator:queen"}, {"data", json::object{}}};
    return {
        {200, "A page, newest first",
         api::Content{
             .schema = list_of("JournalEntry"), .example = {{"items", json::array{entry}}}}}};
}

} // namespace

void add_journal_routes(
    Routes& routes, Transactions& transactions, const api::CursorCodec& cursors) {
    const Parts parts{&transactions, &cursors};
    routes.push_back(
        {.path = "/api/v1/swarms/{swarmId:SwarmId}/journal",
         .id = "getSwarmJournal",
         .summary = "What a swarm went through, also one that was removed",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::read),
         .handler = api::AsyncHandler{[parts](Call call) {
             return page(parts, call, std::string{call.path("swarmId")});
         }},
         .query = filters(),
         .answers = answers()});
    routes.push_back(
        {.path = "/api/v1/journal",
         .id = "getJournal",
         .summary = "What all swarms went through",
         .tag = "journal",
         .access = Access::needs(Area::swarms, Level::read),
         .handler =
             api::AsyncHandler{[parts](Call call) { return page(parts, call, std::nullopt); }},
         .query = filters(),
         .answers = answers()});
}

} // namespace hive::rest

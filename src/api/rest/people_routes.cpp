// Who is signed in, and signing them out: the sessions of other people.
#include "api/page.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/session_routes.hpp"
#include "kernel/encoding.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>

namespace hive::rest {
namespace {

using accounts::Session;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

using accounts::SessionQuery;

constexpr std::string_view listing = "sessions";
constexpr std::size_t searched_at_once = 500;

json::object to_json(const Session& session) {
    json::object out{
        {"id", accounts::proof_id_of(session.token_hash)},
        {"person", session.person},
        {"role", accounts::name_of(session.role)}};
    put_time(out, "created", session.created);
    put_time(out, "lastSeen", session.last_seen);
    return out;
}

// `1767607200000000000 9f86d081884c7d65`: when it began and the part of its hash that is shown.
std::string position_of(const Session& session) {
    return fmt::format(
        "{} {}", session.created.time_since_epoch().count(),
        accounts::proof_id_of(session.token_hash));
}

Result<SessionQuery> query_after(std::string_view position) {
    SessionQuery query;
    std::int64_t began = 0;
    const auto [end, wrong] =
        std::from_chars(position.data(), position.data() + position.size(), began);
    const auto shown = position.substr(static_cast<std::size_t>(end - position.data()));
    // What is not shown of the hash counts as the highest: that session was on the page before.
    query.after.fill(0xff);
    if (wrong != std::errc{} || !shown.starts_with(' ') ||
        !read_hex(shown.substr(1), std::span{query.after}.first<8>()))
        return fail(Errc::invalid, "the cursor is none of this list; begin with the first page");
    query.before = Timestamp{Duration{began}};
    return query;
}

asio::awaitable<http::Response> list(SessionParts parts, Call call) {
    SessionQuery query;
    if (const auto cursor = call.text("cursor")) {
        const auto position = parts.cursors.decode(listing, *cursor);
        if (!position) co_return call.fail(position.error());
        const auto after = query_after(*position);
        if (!after) co_return call.fail(after.error());
        query = *after;
    }
    query.limit = static_cast<std::size_t>(*call.integer("limit"));
    const HiveId hive = parts.transactions.chronicle().hive();
    co_return co_await parts.transactions.read(
        call,
        [hive, query, cursors = &parts.cursors, following = api::NextPage{call.request()}](
            store::Session& session) -> Result<http::Response> {
            const auto found = store::SessionTable{session, hive}.list(query);
            if (!found) return fail(found.error());
            json::array items;
            for (const Session& each : *found) items.push_back(to_json(each));
            return following.page(
                std::move(items), found->size() == query.limit
                                      ? cursors->encode(listing, position_of(found->back()))
                                      : std::string{});
        });
}

// By the part of its hash that is shown.
Result<Session> find_shown(const store::SessionTable& table, std::string_view id) {
    SessionQuery query{.limit = searched_at_once};
    for (;;) {
        const auto page = table.list(query);
        if (!page) return fail(page.error());
        const auto at = std::ranges::find(
            *page, id, [](const Session& each) { return accounts::proof_id_of(each.token_hash); });
        if (at != page->end()) return *at;
        if (page->size() < query.limit)
            return fail(Errc::not_found, fmt::format("there is no session '{}'", id));
        query.before = page->back().created;
        query.after = page->back().token_hash;
    }
}

asio::awaitable<http::Response> end(SessionParts parts, Call call) {
    const HiveId hive = parts.transactions.chronicle().hive();
    const auto ended = std::make_shared<Digest>();
    auto response = co_await parts.transactions.change(
        call,
        [id = std::string{call.path("sessionId")}, hive,
         ended](Change& change) -> Result<http::Response> {
            store::SessionTable table{change.session(), hive};
            const auto found = find_shown(table, id);
            if (!found) return fail(found.error());
            if (auto ok = table.remove(found->token_hash); !ok) return fail(ok.error());
            auto ok = change.record(
                {.action = "auth.session-ended",
                 .entity_type = "session",
                 .entity_id = id,
                 .details = {{"person", found->person}}});
            if (!ok) return fail(ok.error());
            *ended = found->token_hash;
            return http::Response{.status = 204};
        });
    if (response.status == 204) parts.gatekeeper.end_session(*ended);
    co_return response;
}

const json::object example_session{
    {"id", "9f86d081884c7d65"},
    {"person", "alice"},
    {"role", "human"},
    {"created", "2026-01-05T10:00:00Z"},
    {"lastSeen", "2026-01-05T11:30:00Z"}};

} // namespace

std::vector<api::Route> people_routes(const SessionParts& parts) {
    std::vector<api::Route> routes;
    routes.push_back(
        {.path = "/api/v1/sessions",
         .id = "listSessions",
         .summary = "Who is signed in with a browser, the newest first",
         .tag = "people",
         .access = Access::needs(Area::keys, Level::read),
         .handler = api::AsyncHandler{[parts](Call call) { return list(parts, call); }},
         .query =
             {{.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers = {
             {200, "A page",
              api::Content{
                  .schema = list_of("Session"),
                  .example = {{"items", json::array{example_session}}}}}}});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/api/v1/sessions/{sessionId:id}",
         .id = "endSession",
         .summary = "Signs somebody out, with every page they have open",
         .tag = "people",
         .access = Access::needs(Area::keys, Level::admin),
         .handler = api::AsyncHandler{[parts](Call call) { return end(parts, call); }},
         .answers = {{204, "Signed out", {}}}});
    return routes;
}

} // namespace hive::rest

// Who is signed in, and signing them out: the sessions of other people.
#include "api/rest/schemas.hpp"
#include "api/rest/session_routes.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace hive::rest {
namespace {

using accounts::Session;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

// Sessions end by themselves; so many people at once are beyond what one hive is for.
constexpr std::size_t sessions_max = 1000;

json::object to_json(const Session& session) {
    json::object out{
        {"id", accounts::proof_id_of(session.token_hash)},
        {"person", session.person},
        {"role", accounts::name_of(session.role)}};
    put_time(out, "created", session.created);
    put_time(out, "lastSeen", session.last_seen);
    return out;
}

asio::awaitable<http::Response> list(SessionParts parts, Call call) {
    const HiveId hive = parts.transactions.chronicle().hive();
    co_return co_await parts.transactions.read(
        call, [hive](store::Session& session) -> Result<http::Response> {
            const auto found = store::SessionTable{session, hive}.list(sessions_max);
            if (!found) return fail(found.error());
            json::array items;
            for (const Session& each : *found) items.push_back(to_json(each));
            return api::json_response(json::object{{"items", std::move(items)}});
        });
}

asio::awaitable<http::Response> end(SessionParts parts, Call call) {
    const HiveId hive = parts.transactions.chronicle().hive();
    const auto ended = std::make_shared<Digest>();
    auto response = co_await parts.transactions.change(
        call,
        [id = std::string{call.path("sessionId")}, hive,
         ended](Change& change) -> Result<http::Response> {
            store::SessionTable table{change.session(), hive};
            const auto all = table.list(sessions_max);
            if (!all) return fail(all.error());
            const auto at = std::ranges::find(*all, id, [](const Session& each) {
                return accounts::proof_id_of(each.token_hash);
            });
            if (at == all->end()) {
                return fail(Errc::not_found, fmt::format("there is no session '{}'", id));
            }
            if (auto ok = table.remove(at->token_hash); !ok) return fail(ok.error());
            auto ok = change.record(
                {.action = "auth.session-ended",
                 .entity_type = "session",
                 .entity_id = id,
                 .details = {{"person", at->person}}});
            if (!ok) return fail(ok.error());
            *ended = at->token_hash;
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
         .summary = "Who is signed in with a browser, the newest first, at most a thousand",
         .tag = "people",
         .access = Access::needs(Area::keys, Level::read),
         .handler = api::AsyncHandler{[parts](Call call) { return list(parts, call); }},
         .answers = {
             {200, "The sessions",
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

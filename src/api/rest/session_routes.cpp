#include "api/rest/session_routes.hpp"

#include "api/rest/schemas.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace hive::rest {
namespace {

using api::Access;
using api::Call;

std::string_view name_of(accounts::Proof proof) noexcept {
    constexpr std::array<std::string_view, 3> names{"api_key", "session", "ticket"};
    return names[static_cast<std::size_t>(proof)];
}

bool browser_is_secure(const SessionParts& parts, const Call& call) {
    return call.request().peer->secure || parts.public_url.starts_with("https://");
}

// Asked by every page and every client that starts, so it is written without a document in between.
http::Response who_am_i(const SessionParts& parts, const Call& call) {
    const api::Principal& who = *call.principal();
    std::string out;
    out.reserve(512);
    const auto add = [&out](std::string_view name, std::string_view value) {
        out += out.empty() ? "{\"" : ",\"";
        out += name;
        out += "\":";
        append_json_string(out, value);
    };
    add("id", who.id);
    add("role", accounts::name_of(who.role));
    add("proof", name_of(who.proof));
    add("proofId", who.proof_id);
    add("hive", parts.transactions.chronicle().hive().text());
    if (who.proof == accounts::Proof::session) {
        add("csrfToken", parts.gatekeeper.csrf_word_for(call.request()));
    }
    out += ",\"scopes\":[";
    for (const auto& scope : who.scopes.texts()) {
        if (out.back() != '[') out += ',';
        append_json_string(out, scope);
    }
    out += "]}";
    return {.content_type = api::json_type, .body = std::move(out)};
}

asio::awaitable<http::Response> hand_out_ticket(SessionParts parts, Call call) {
    auto recorded =
        co_await parts.transactions.change(call, [](Change& change) -> Result<http::Response> {
            auto ok = change.record(
                {.action = "auth.ticket-issued", .entity_type = "ticket", .entity_id = {}});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 201};
        });
    if (recorded.status != 201) co_return recorded;
    const Secret ticket = parts.gatekeeper.issue_ticket(*call.principal());
    co_return api::json_response({{"ticket", ticket.reveal()}, {"validForSec", 30}}, 201);
}

asio::awaitable<http::Response> follow_link(SessionParts parts, Call call) {
    const http::Peer& peer = *call.request().peer;
    if (auto problem = too_many_failures(parts.gatekeeper, peer)) co_return call.fail(*problem);
    auto who = parts.gatekeeper.redeem_login_link(*call.text("word"));
    if (!who) {
        parts.gatekeeper.login_failed(peer, cause_of(call), who.error().detail);
        co_return call.fail(
            api::Problem{.status = 401, .code = "bad-link", .detail = who.error().detail});
    }
    parts.gatekeeper.login_succeeded(peer);
    co_return co_await arrive(
        parts, call, {.person = std::move(who->id), .role = who->role, .by = "link"});
}

asio::awaitable<http::Response> invite(SessionParts parts, Call call) {
    auto role = accounts::parse_role(call.body().at("role").as_string());
    if (!role) co_return call.fail(role.error());
    const std::string person{call.body().at("person").as_string()};
    auto recorded = co_await parts.transactions.change(
        call, [person, role = *role](Change& change) -> Result<http::Response> {
            auto ok = change.record(
                {.action = "auth.invited",
                 .entity_type = "person",
                 .entity_id = person,
                 .details = {{"role", accounts::name_of(role)}}});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 201};
        });
    if (recorded.status != 201) co_return recorded;
    const Secret word = parts.gatekeeper.issue_login_link(
        {.id = person, .role = *role, .scopes = accounts::Scopes::of(*role)});
    co_return api::json_response({{"url", login_link(parts.public_url, word)}}, 201);
}

asio::awaitable<http::Response> sign_out(SessionParts parts, Call call) {
    const auto credentials = api::credentials_of(call.request());
    if (call.principal()->proof != accounts::Proof::session) {
        co_return call.fail(Error{Errc::conflict, "only a browser's session can be signed out"});
    }
    const Digest hash = accounts::hash_token(credentials.cookie);
    const HiveId hive = parts.transactions.chronicle().hive();
    auto response = co_await parts.transactions.change(
        call,
        [hash, hive, id = call.principal()->proof_id](Change& change) -> Result<http::Response> {
            if (auto ok = store::SessionTable{change.session(), hive}.remove(hash); !ok) {
                return fail(ok.error());
            }
            auto ok = change.record(
                {.action = "auth.signed-out", .entity_type = "session", .entity_id = id});
            if (!ok) return fail(ok.error());
            return http::Response{.status = 204};
        });
    if (response.status == 204) {
        parts.gatekeeper.end_session(hash);
        response.headers.add(
            "Set-Cookie", Gatekeeper::ended_cookie_line(browser_is_secure(parts, call)));
    }
    co_return response;
}

using Routes = std::vector<api::Route>;

void add_identity_routes(Routes& routes, const SessionParts& parts) {
    routes.push_back(
        {.path = "/api/v1/me",
         .id = "getMe",
         .summary = "Who the server takes you for, and what you may do",
         .tag = "people",
         .access = Access::signed_in(),
         .handler = api::SyncHandler{[parts](const Call& call) { return who_am_i(parts, call); }},
         .answers = {
             {200, "You",
              api::Content{
                  .schema = ref("Me"),
                  .example = {
                      {"id", "alice"},
                      {"role", "human"},
                      {"scopes", {"tasks:write"}},
                      {"proof", "session"},
                      {"proofId", "9f86d081884c7d65"},
                      {"hive", "main"}}}}}});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/ws/tickets",
         .id = "createTicket",
         .summary = "A single-use word for /ws?token=, good for 30 seconds",
         .tag = "people",
         .access = Access::signed_in(),
         .handler = api::AsyncHandler{[parts](Call call) { return hand_out_ticket(parts, call); }},
         .answers =
             {{201, "The ticket",
               api::Content{
                   .schema = ref("Ticket"),
                   .example = {{"ticket", "shown once, here"}, {"validForSec", 30}}}}},
         .rate_class = "events"});
}

void add_login_routes(Routes& routes, const SessionParts& parts) {
    routes.push_back(
        {.path = "/auth/link",
         .id = "followLoginLink",
         .summary = "Signs a browser in with a one-time link",
         .tag = "people",
         .access = Access::open_to_all(),
         .handler = api::AsyncHandler{[parts](Call call) { return follow_link(parts, call); }},
         .query = {{.name = "word", .range = {1, 128}, .required = true}},
         .answers = {{303, "Signed in; on to the dashboard", {}}},
         .rate_class = "login"});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/login-links",
         .id = "createLoginLink",
         .summary = "A link that signs its first visitor in as this person",
         .tag = "people",
         .access = Access::needs(api::Area::keys, api::Level::admin),
         .handler = api::AsyncHandler{[parts](Call call) { return invite(parts, call); }},
         .request =
             api::Content{
                 .schema = closed_object(
                     {{"person", {{"type", "string"}, {"minLength", 1}, {"maxLength", 100}}},
                      {"role", words_schema({"admin", "human", "readonly"})}}),
                 .example = {{"person", "alice"}, {"role", "human"}}},
         .answers =
             {{201, "The link; it works once, for a quarter of an hour",
               api::Content{
                   .schema = closed_object({{"url", text_schema(2048)}}),
                   .example = {{"url", "https://hive.example/auth/link?word=…"}}}}},
         .rate_class = "login"});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/api/v1/session",
         .id = "signOut",
         .summary = "Ends this browser's session",
         .tag = "people",
         .access = Access::signed_in(),
         .handler = api::AsyncHandler{[parts](Call call) { return sign_out(parts, call); }},
         .answers = {{204, "Signed out", {}}}});
}

} // namespace

std::optional<api::Problem>
too_many_failures(const Gatekeeper& gatekeeper, const http::Peer& peer) {
    const Duration pause = gatekeeper.pause_left(peer);
    if (pause <= Duration::zero()) return std::nullopt;
    api::Problem problem{
        .status = 429,
        .code = "too-many-failures",
        .detail = "too many failed sign-ins from this address; wait a little",
        .retryable = true};
    problem.headers.add(
        "Retry-After", std::to_string(std::chrono::ceil<std::chrono::seconds>(pause).count()));
    return problem;
}

std::string login_link(const std::string& public_url, const Secret& word) {
    return fmt::format("{}/auth/link?word={}", public_url, word.reveal());
}

asio::awaitable<http::Response> arrive(SessionParts parts, Call call, Arrival arrival) {
    const auto fresh = parts.gatekeeper.begin_session(arrival.person, arrival.role);
    const HiveId hive = parts.transactions.chronicle().hive();
    Cause cause = cause_of(call);
    cause.actor = fmt::format("{}:{}", accounts::name_of(arrival.role), arrival.person);
    auto response = co_await parts.transactions.change_as(
        call, std::move(cause),
        [hive, session = fresh.session, arrival](Change& change) -> Result<http::Response> {
            if (auto ok = store::SessionTable{change.session(), hive}.insert(session); !ok) {
                return fail(ok.error());
            }
            auto ok = change.record(
                {.action = "auth.signed-in",
                 .entity_type = "person",
                 .entity_id = arrival.person,
                 .details = {{"by", arrival.by}, {"role", accounts::name_of(arrival.role)}}});
            if (!ok) return fail(ok.error());
            http::Response onward{.status = 303};
            onward.headers.add("Location", arrival.return_to);
            return onward;
        });
    if (response.status == 303) {
        response.headers.add(
            "Set-Cookie", Gatekeeper::cookie_line(fresh.token, browser_is_secure(parts, call)));
    }
    co_return response;
}

std::vector<api::Route> session_routes(const SessionParts& parts) {
    Routes routes;
    add_identity_routes(routes, parts);
    add_login_routes(routes, parts);
    return routes;
}

} // namespace hive::rest

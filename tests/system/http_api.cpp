#include "tests/system/http_api.hpp"

#include "api/etag.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <stdexcept>

namespace hive::test {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using api::Role;

void KeyRing::add(std::string key, api::Principal principal) {
    keys_[std::move(key)] = std::make_shared<const api::Principal>(std::move(principal));
}

api::Authentication KeyRing::look_up(std::string_view key) const {
    const auto at = keys_.find(key);
    if (at != keys_.end()) return at->second;
    return tl::unexpected{
        api::Problem{.status = 401, .code = "bad-key", .detail = "no such key, or expired"}};
}

http::asio::awaitable<api::Authentication> KeyRing::look_up_later(std::string key) const {
    co_await http::asio::post(co_await http::asio::this_coro::executor, http::asio::use_awaitable);
    co_return look_up(key);
}

http::Eventually<api::Authentication>
KeyRing::authenticate(const api::Credentials& credentials, const http::Request&) {
    const std::string_view key =
        !credentials.bearer.empty()
            ? credentials.bearer
            : (!credentials.ticket.empty() ? credentials.ticket : credentials.cookie);
    if (key.starts_with("later-")) return look_up_later(std::string{key});
    return look_up(key);
}

api::RateVerdict
FewRequests::take(const api::Route& route, const api::Principal*, const http::Peer&) {
    if (route.rate_class != "few") return {};
    constexpr std::uint64_t quota = 2;
    const std::uint64_t taken = ++taken_;
    return {
        .allowed = taken <= quota,
        .policy = "few",
        .quota = quota,
        .window_sec = 60,
        .remaining = taken <= quota ? quota - taken : 0,
        .reset_sec = 30};
}

void RecordedAccess::record(const api::AccessRecord& entry) {
    const std::lock_guard lock{mutex_};
    lines_.push_back(
        fmt::format("{} {} {} {}", entry.method, entry.path, entry.status, entry.principal));
}

std::vector<std::string> RecordedAccess::lines() const {
    const std::lock_guard lock{mutex_};
    return lines_;
}

namespace {

constexpr std::string_view page = "<!doctype html><title>hive</title>";
constexpr std::string_view script = "console.log('hive')";
const std::vector<api::AssetFile> files{
    {"/index.html", "text/html; charset=utf-8", page},
    {"/assets/app-1a2b.js", "text/javascript", script, "gzipped bytes"}};

json::object item_schema() {
    return {
        {"type", "object"},
        {"required", {"name"}},
        {"properties",
         {{"name", {{"type", "string"}, {"minLength", 1}, {"maxLength", 20}}},
          {"size", {{"type", "integer"}, {"minimum", 0}}}}},
        {"additionalProperties", false}};
}

http::Response read_item(const Call& call) {
    const std::string etag = api::etag_of_revision(7);
    if (api::is_not_modified(call.request(), etag)) {
        http::Response unchanged{.status = 304};
        unchanged.headers.add("ETag", etag);
        return unchanged;
    }
    auto response = api::json_response(
        {{"id", call.path("itemId")}, {"limit", call.integer("limit").value_or(-1)}});
    response.headers.add("ETag", etag);
    return response;
}

http::asio::awaitable<http::Response> slow_item(Call call) {
    co_await http::asio::post(co_await http::asio::this_coro::executor, http::asio::use_awaitable);
    const std::string name{call.path("name")};
    if (name == "throw") throw std::runtime_error{"the secret reason"};
    co_return api::json_response({{"name", name}, {"by", call.principal()->id}});
}

api::Content item_content() {
    return {.schema = item_schema(), .example = {{"name", "cell"}, {"size", 3}}};
}

} // namespace

std::vector<api::Route> ApiUnderTest::routes(ws::SessionLimits limits) {
    std::vector<api::Route> all;
    all.push_back(
        {.path = "/api/v1/items/{itemId:id}",
         .id = "getItem",
         .summary = "One item",
         .tag = "items",
         .access = Access::needs(Area::tasks, Level::read),
         .handler = api::SyncHandler{read_item},
         .query =
             {{.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 100},
               .fallback = std::int64_t{20}}},
         .answers = {{200, "It", {}}}});
    all.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/items",
         .id = "createItem",
         .summary = "A new item",
         .tag = "items",
         .access = Access::needs(Area::tasks, Level::write),
         .handler = api::SyncHandler{[this](const Call& call) {
             return api::json_response({{"name", call.body().at("name")}, {"n", ++created}}, 201);
         }},
         .request = item_content(),
         .answers = {{201, "It", item_content()}},
         .limits = {.body_bytes = 200, .json_depth = 4},
         .idempotency = api::Idempotency::accepted});
    all.push_back(
        {.path = "/api/v1/slow/{name:text}",
         .id = "getSlow",
         .summary = "Waits for something",
         .tag = "items",
         .access = Access::signed_in(),
         .handler = api::AsyncHandler{slow_item},
         .answers = {{200, "It", {}}}});
    all.push_back(
        {.path = "/api/v1/few",
         .id = "getFew",
         .summary = "May be asked twice",
         .tag = "items",
         .access = Access::open_to_all(),
         .handler = api::SyncHandler{[](const Call&) { return api::json_response("ok"); }},
         .answers = {{200, "It", {}}},
         .rate_class = "few"});
    add_event_routes(all, limits);
    return all;
}

void ApiUnderTest::add_event_routes(std::vector<api::Route>& all, ws::SessionLimits limits) {
    const auto may_hear = [](const api::Principal* who, std::string_view topic) {
        return !topic.starts_with("secret.") || (who != nullptr && who->role == Role::admin);
    };
    all.push_back(api::event_socket_route(
        {.hub = hub,
         .origins = {{"https://friend.example"}},
         .may_hear = may_hear,
         .limits = limits},
        Access::needs(Area::channels, Level::read)));
    all.push_back(api::event_feed_route(
        {.hub = hub,
         .may_hear = may_hear,
         .queued_events = 100,
         .heartbeat = std::chrono::hours{1}},
        Access::needs(Area::channels, Level::read)));
}

ApiUnderTest::ApiUnderTest(ws::SessionLimits limits, api::HubLimits hub_limits) : hub{hub_limits} {
    keys.add("admin-key", {"ada", Role::admin, accounts::Scopes::of(Role::admin)});
    keys.add("bee-key", {"bee-1", Role::bee, accounts::Scopes::of(Role::bee)});
    keys.add("read-key", {"rita", Role::readonly, *accounts::Scopes::parse({"tasks:read"})});
    keys.add("later-key", {"lena", Role::human, accounts::Scopes::of(Role::human)});
    assets = std::make_unique<api::EmbeddedAssets>(files);
    auto table = api::compile_api(
        {.routes = routes(limits), .info = {"Test hive", "1.0.0"}},
        {health, metrics, std::make_shared<std::string>()});
    if (!table) throw std::runtime_error{table.error().detail};
    api = std::make_unique<api::Api>(
        std::move(*table), api::ApiParts{
                               .authenticator = &keys,
                               .rate_limiter = &rates,
                               .assets = assets.get(),
                               .access_log = &access,
                               .metrics = &metrics,
                               .cors = {{"https://friend.example"}}});
    http::ServerOptions options{.listen = {{.address = "127.0.0.1:0"}}, .threads = 2};
    options.limits.sweep_every = std::chrono::milliseconds{5};
    auto started = http::Server::start(std::move(options), *api);
    if (!started) throw std::runtime_error{started.error().detail};
    server = std::move(*started);
    hub.serve_on(server->executors());
}

ApiUnderTest::~ApiUnderTest() {
    server->shut_down(Duration::zero());
    hub.stop_serving();
}

} // namespace hive::test

#include "tests/system/server_scene.hpp"

#include "api/rest/key_routes.hpp"
#include "audit/ledger_verifier.hpp"
#include "kernel/entropy.hpp"
#include "store/accounts_tables.hpp"
#include "store/audit_ledger.hpp"
#include "store/migration.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace hive::test {
namespace {

accounts::KeyEntropy key_entropy() {
    accounts::KeyEntropy entropy{};
    fill_from_entropy(entropy);
    return entropy;
}

// The route of a test: adds one to a number, at most once per Idempotency-Key.
std::vector<api::Route> counting_route(const rest::SessionParts& parts) {
    auto* transactions = &parts.transactions;
    const auto count = [transactions](api::Call call) {
        return transactions->change(call, [](rest::Change& change) -> Result<http::Response> {
            std::int64_t value = 0;
            auto added = change.session().execute(
                "INSERT INTO settings (hive, name, value, changed) VALUES ('main', 'count', '1', 0)"
                " ON CONFLICT (hive, name) DO UPDATE SET"
                " value = CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)",
                {});
            if (!added) return fail(added.error());
            auto read = change.session().query(
                "SELECT value FROM settings WHERE name = 'count'", {},
                [&](const store::Row& row) { value = std::stoll(std::string{row.text(0)}); });
            if (!read) return fail(read.error());
            auto recorded = change.record({"hive.counted", "count", "count", {}});
            if (!recorded) return fail(recorded.error());
            return api::json_response({{"count", value}}, 201);
        });
    };
    std::vector<api::Route> routes;
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/count",
         .id = "count",
         .summary = "Counts",
         .tag = "test",
         .access = api::Access::needs(api::Area::tasks, api::Level::write),
         .handler = api::AsyncHandler{count},
         .request = api::Content{.schema = {{"type", "object"}}, .example = json::object{}},
         .answers = {{201, "Counted", {}}},
         .idempotency = api::Idempotency::accepted});
    return routes;
}

} // namespace

json::value parsed(const std::string& text) {
    auto value = parse_json(text);
    REQUIRE_MESSAGE(value, text);
    return std::move(*value);
}

std::string code_of(const Answer& answer) {
    return std::string{parsed(answer.body).at("code").as_string()};
}

HiveUnderTest::HiveUnderTest(Setting setting) : setting_{std::move(setting)} {
    start();
}

HiveUnderTest::~HiveUnderTest() = default;

constinit HiveUnderTest::OpenStore HiveUnderTest::open_store = [](const std::string& directory) {
    return store::sqlite::open({.directory = directory});
};

void HiveUnderTest::start() {
    auto opened = open_store(directory.path());
    REQUIRE_MESSAGE(opened, opened.error().detail);
    database = std::move(*opened);
    REQUIRE(store::migrate(*database));
    if (setting_.wrap) database = setting_.wrap(std::move(database));
    rest::HiveOptions options{.hive = hive, .version = "0.0.0"};
    options.http.listen = {{.address = "127.0.0.1:0"}};
    options.http.threads = 2;
    options.quotas = setting_.quotas;
    options.gate = setting_.gate;
    options.events = setting_.events;
    options.public_url = setting_.public_url;
    auto more = setting_.more;
    more.emplace_back(counting_route);
    rest::HiveParts parts{
        .database = *database,
        .clock = clock,
        .log = Logger{log, clock, levels, "test"},
        .audit_key = audit_key,
        .more = std::move(more),
        .snapshots = setting_.snapshots};
    if (setting_.offer) setting_.offer(parts);
    auto started = rest::HiveServer::start(std::move(options), std::move(parts));
    REQUIRE_MESSAGE(started, started.error().detail);
    server = std::move(*started);
}

void HiveUnderTest::restart() {
    REQUIRE(server->shut_down(std::chrono::seconds{5}));
    server.reset();
    REQUIRE(database->close(std::chrono::seconds{5}));
    database.reset();
    start();
}

std::string HiveUnderTest::key_text(accounts::KeyRequest request) const {
    if (request.id.empty()) request.id = rest::fresh_key_id();

    auto minted = accounts::mint_key(std::move(request), key_entropy(), clock.wall());
    REQUIRE_MESSAGE(minted, minted.error().detail);
    REQUIRE(store::write_and_wait(*database, {.work = [&](store::Session& session) {
        return store::KeyTable{session, hive}.insert(minted->record);
    }}));
    return std::string{minted->text.reveal()};
}

std::string HiveUnderTest::ticket(std::string_view key) const {
    const auto answer = send("POST", "/api/v1/ws/tickets", key);
    REQUIRE_MESSAGE(answer.status == 201, answer.body);
    return std::string{parsed(answer.body).at("ticket").as_string()};
}

std::string HiveUnderTest::bearer(std::string_view key) {
    return fmt::format("Authorization: Bearer {}\r\n", key);
}

std::string HiveUnderTest::key_for(accounts::Role role) const {
    return bearer(key_text({.id = {}, .owner = std::string{name_of(role)}, .role = role}));
}

Answer HiveUnderTest::get(std::string_view path, std::string_view headers) const {
    return connect().get(path, headers);
}

Answer HiveUnderTest::send(
    std::string_view method, std::string_view path, std::string_view headers,
    std::string_view body) const {
    Client client = connect();
    client.send(fmt::format(
        "{} {} HTTP/1.1\r\nHost: hive\r\n{}{}Content-Length: {}\r\n\r\n{}", method, path, headers,
        body.empty() ? "" : "Content-Type: application/json\r\n", body.size(), body));
    auto answer = client.receive();
    REQUIRE(answer);
    return std::move(*answer);
}

std::uint64_t HiveUnderTest::audit_size() const {
    return store::read_for(
               *database,
               [&](store::Session& session) { return store::AuditLedger{session, hive}.head(); })
        .value()
        .size();
}

std::vector<audit::Entry> HiveUnderTest::audit_entries() const {
    return store::read_for(
               *database,
               [&](store::Session& session) {
                   return store::AuditLedger{session, hive}.read(1, audit::page_max);
               })
        .value();
}

audit::Entry HiveUnderTest::await_audit(std::string_view action) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (std::chrono::steady_clock::now() < deadline) {
        for (auto& entry : audit_entries()) {
            if (entry.action == action) return entry;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    FAIL("no entry " << std::string{action});
    return {};
}

audit::Report HiveUnderTest::verify() const {
    return store::read_for(
               *database,
               [&](store::Session& session) {
                   return audit::verify_ledger(
                       store::AuditLedger{session, hive}, {audit_key.trusted()});
               })
        .value();
}

Answer Browser::keep(Answer answer) {
    const auto set = answer.headers.find("set-cookie");
    if (set != answer.headers.end()) cookie = set->second.substr(0, set->second.find(';'));
    return answer;
}

Answer Browser::open(std::string_view path, std::string_view headers) {
    const std::string lines =
        cookie.empty() ? std::string{headers} : fmt::format("Cookie: {}\r\n{}", cookie, headers);
    return keep(hive_->get(path, lines));
}

Answer Browser::send(std::string_view method, std::string_view path, std::string_view body) {
    return keep(hive_->send(
        method, path, fmt::format("Cookie: {}\r\nX-CSRF-Token: {}\r\n", cookie, csrf()), body));
}

std::string Browser::csrf() {
    const auto me = open("/api/v1/me");
    if (me.status != 200) return {};
    return std::string{parsed(me.body).at("csrfToken").as_string()};
}

} // namespace hive::test

#include "api/rest/swarm_keeper.hpp"
#include "loop/loop.hpp"
#include "store/swarm_tables.hpp"
#include "store/wait.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <set>

using namespace hive;
using namespace hive::test;

namespace {

// A path that a request can be sent to.
std::string path_of(const api::Route& route) {
    std::string path = route.path;
    for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{')) {
        const std::size_t end = path.find('}', at);
        const std::string name = path.substr(at, end - at);
        std::string filled = name.ends_with(":int") ? "1" : "x1";
        if (name.starts_with("{role")) filled = "processor";
        if (name.starts_with("{instance")) filled = "x1-processor-1";
        if (name.starts_with("{name")) filled = "asyncapi.yaml";
        path.replace(at, end - at + 1, filled);
    }
    std::string query;
    for (const auto& parameter : route.query) {
        if (!parameter.required) continue;
        const bool number = parameter.kind == api::ParameterKind::integer;
        query +=
            fmt::format("{}{}={}", query.empty() ? '?' : '&', parameter.name, number ? "1" : "x");
    }
    return path + query;
}

std::string body_of(const api::Route& route) {
    return route.request ? to_text(route.request->example) : std::string{};
}

// What comes first, without waiting for the end of streams.
std::string
first_of(const HiveUnderTest& hive, const api::Route& route, const std::string& headers) {
    const std::string body = body_of(route);
    Client client = hive.connect();
    client.send(fmt::format(
        "{} {} HTTP/1.1\r\nHost: hive\r\n{}{}Content-Length: {}\r\n\r\n{}",
        http::name_of(route.method), path_of(route), headers,
        body.empty() ? "" : "Content-Type: application/json\r\n", body.size(), body));
    const std::string start = client.receive_some();
    REQUIRE(start.starts_with("HTTP/1.1 "));
    return start;
}

int ask(const HiveUnderTest& hive, const api::Route& route, const std::string& headers) {
    return std::stoi(first_of(hive, route, headers).substr(9, 3));
}

std::string expired_key(const HiveUnderTest& hive) {
    return HiveUnderTest::bearer(hive.key_text(
        {.id = {},
         .owner = "late",
         .role = accounts::Role::admin,
         .valid_for = std::chrono::seconds{-1}}));
}

rest::KeeperParts keeper_parts(Swarms& scene, loop::Loop& loop) {
    return {
        .database = *scene.hive.database,
        .hive = scene.hive.hive,
        .clock = scene.clock,
        .loop = loop,
        .log = Logger{scene.hive.log, scene.clock, scene.hive.levels, "test"}};
}

// A swarm and a run that requests can be about, and a store for what they ask.
void keep_with(Swarms& scene, rest::SwarmKeeper& keeper) {
    scene.court.reports = {report("x1")};
    scene.court.keep = [&](orchestrator::RiderPtr rider, std::function<void(Status)> answered) {
        keeper.keep({.riders = {std::move(rider)}}, std::move(answered));
    };
    REQUIRE(store::write_and_wait(*scene.hive.database, {.work = [&](store::Session& session) {
        return store::SwarmTable{session, scene.hive.hive}.begin_run({.id = "x1", .swarm = "x1"});
    }}));
}

} // namespace

TEST_CASE("every route, asked by every role, by nobody and with proofs that are no good") {
    Swarms scene;
    scene.court.reports = {report("x1")};
    const HiveUnderTest& hive = scene.hive;
    const std::map<accounts::Role, std::string> keys{
        {accounts::Role::admin, hive.key_for(accounts::Role::admin)},
        {accounts::Role::human, hive.key_for(accounts::Role::human)},
        {accounts::Role::bee, hive.key_for(accounts::Role::bee)},
        {accounts::Role::readonly, hive.key_for(accounts::Role::readonly)}};
    const std::string expired = expired_key(hive);
    const std::string unknown =
        HiveUnderTest::bearer("hvb_1TkLDkUcqINuicJoxuoo2YQ4sZDRM4dfc0tGBop");
    const std::string garbage = HiveUnderTest::bearer("let-me-in");
    CHECK(hive.server->routes().routes().size() >= 50);
    for (const auto& route : hive.server->routes().routes()) {
        CAPTURE(route.id);
        CHECK(
            (ask(hive, route, "") == 401) ==
            (!route.access.is_open() || route.id == "followLoginLink"));
        for (const std::string& bad : {expired, unknown, garbage}) {
            CHECK(ask(hive, route, bad) == 401); // an answer even where no key is needed
        }
        for (const auto& [role, key] : keys) {
            CAPTURE(accounts::name_of(role));
            const int status = ask(hive, route, key);
            if (route.id != "followLoginLink") CHECK(status != 401);
            CHECK((status == 403) == !route.access.admits(role));
            CHECK(status < 500);
        }
    }
}

TEST_CASE("the rules of the roles, said once more in other words") {
    Swarms scene;
    const HiveUnderTest& hive = scene.hive;
    std::map<std::string, std::set<std::string>> allowed;
    for (const auto& route : hive.server->routes().routes()) {
        for (const accounts::Role role :
             {accounts::Role::admin, accounts::Role::human, accounts::Role::bee,
              accounts::Role::readonly}) {
            if (!route.access.is_open() && route.access.admits(role)) {
                allowed[std::string{accounts::name_of(role)}].insert(route.id);
            }
        }
    }
    for (const auto* id :
         {"createKey", "revokeKey", "rotateKey", "listKeys", "createLoginLink", "eraseAuditDetails",
          "listSessions", "endSession"}) {
        CAPTURE(id);
        CHECK(allowed["admin"].contains(id));
        CHECK_FALSE(allowed["human"].contains(id));
        CHECK_FALSE(allowed["bee"].contains(id));
        CHECK_FALSE(allowed["readonly"].contains(id));
    }
    for (const auto* id :
         {"createSwarm", "startSwarm", "stopSwarm", "removeSwarm", "configureSwarm",
          "disableSwarmManagers", "patchRun", "openTap", "peekTap"}) {
        CAPTURE(id);
        CHECK(allowed["admin"].contains(id));
        CHECK(allowed["human"].contains(id));
        CHECK_FALSE(allowed["bee"].contains(id));
        CHECK_FALSE(allowed["readonly"].contains(id));
    }
    CHECK(allowed["bee"].contains("getSwarm"));
    CHECK(allowed["readonly"].contains("getSwarmJournal"));
    CHECK(allowed["human"].contains("answerDeviceLogin"));
    CHECK_FALSE(allowed["bee"].contains("answerDeviceLogin"));
    CHECK(allowed["readonly"].contains("searchAudit"));
    CHECK_FALSE(allowed["bee"].contains("searchAudit"));
}

TEST_CASE("every route that changes something leaves an audit entry with its actor and request") {
    // Reads in the shape of a POST, and what only begins something in memory.
    const std::set<std::string> exempt{"beginDeviceLogin",         "pollDeviceLogin",
                                       "requestStatusOfSwarm",     "requestStatusOfRole",
                                       "requestStatusOfComponent", "refreshControlPlane"};
    Swarms scene;
    HiveUnderTest& hive = scene.hive;
    loop::Loop loop{1};
    rest::SwarmKeeper keeper{{.life = "life-1"}, keeper_parts(scene, loop)};
    keep_with(scene, keeper);
    const auto broker = scene.declare_work("x1");
    const std::string admin = hive.key_for(accounts::Role::admin);
    const auto changing = [](const api::Route& route) {
        return route.method != http::Method::get && route.method != http::Method::head;
    };
    std::string key_id;
    for (const auto& route : hive.server->routes().routes()) {
        if (!changing(route) || exempt.contains(route.id)) continue;
        CAPTURE(route.id);
        std::string path = path_of(route);
        std::string headers = admin;
        std::string body = body_of(route);
        Browser browser{hive};
        if (route.path.find("{keyId") != route.path.npos) {
            const auto made =
                hive.send("POST", "/api/v1/keys", admin, R"({"owner":"b","role":"bee"})");
            key_id = parsed(made.body).at("record").at("id").as_string().c_str();
            path.replace(path.find("x1"), 2, key_id);
        } else if (route.path.find("{tapId") != route.path.npos) {
            const auto made = scene.post("/swarms/x1/taps", R"({"queue":"raw"})");
            REQUIRE_MESSAGE(made.status == 201, made.body);
            path.replace(path.find("x1"), 2, parsed(made.body).at("id").as_string().c_str());
        } else if (route.id == "endSession") {
            browser.open(hive.server->login_link("ann", accounts::Role::human)
                             .substr(hive.server->url().size()));
            const auto listed = parsed(hive.get("/api/v1/sessions", admin).body);
            path.replace(path.find("x1"), 2, listed.at("items").at(0).at("id").as_string().c_str());
        } else if (route.id == "signOut") {
            browser.open(hive.server->login_link("ann", accounts::Role::human)
                             .substr(hive.server->url().size()));
            headers =
                fmt::format("Cookie: {}\r\nX-CSRF-Token: {}\r\n", browser.cookie, browser.csrf());
        } else if (route.id == "answerDeviceLogin") {
            const auto begun = parsed(hive.send("POST", "/api/v1/login/device", "").body);
            body = fmt::format(
                R"({{"userCode":"{}","approve":true}})", begun.at("userCode").as_string().c_str());
        }
        const std::uint64_t before = hive.audit_size();
        const auto answer = hive.send(
            http::name_of(route.method), path,
            headers + fmt::format("X-Request-Id: walk-{}\r\n", route.id), body);
        CAPTURE(answer.body);
        CHECK(answer.status < 300);
        const auto entries = hive.audit_entries();
        REQUIRE(entries.size() > before);
        CHECK(entries.back().request_id == fmt::format("walk-{}", route.id));
        CHECK((entries.back().actor == "admin:admin" || entries.back().actor == "human:ann"));
    }
    CHECK(hive.verify().good());
}

TEST_CASE("what is documented exists, and what exists is documented") {
    Swarms scene;
    scene.court.reports = {report("x1")};
    HiveUnderTest& hive = scene.hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const auto document = parsed(hive.get("/api/openapi.json", "").body);
    CHECK(document.at("openapi") == "3.1.0");
    std::size_t documented = 0;
    for (const auto& [path, item] : document.at("paths").as_object()) {
        for (const auto& [method, operation] : item.as_object()) {
            ++documented;
            const auto& routes = hive.server->routes().routes();
            const auto at = std::ranges::find(
                routes, operation.at("operationId").as_string().c_str(), &api::Route::id);
            REQUIRE(at != routes.end());
            CAPTURE(path);
            const std::string start = first_of(hive, *at, admin);
            CHECK_FALSE(start.starts_with("HTTP/1.1 405"));
            CHECK(start.find("nothing at this path") == start.npos);
        }
    }
    CHECK(documented == hive.server->routes().routes().size());
    CHECK(document.at("components").at("schemas").as_object().contains("Key"));
}

TEST_CASE("probes, pages and unknown paths need no key") {
    HiveUnderTest hive;
    CHECK(hive.get("/healthz", "").status == 200);
    CHECK(parsed(hive.get("/readyz", "").body).at("components").as_object().contains("store"));
    CHECK(parsed(hive.get("/actuator/health", "").body).at("status") == "UP");
    CHECK(hive.get("/metrics", "").status == 401);
    const auto metrics = hive.get("/metrics", hive.key_for(accounts::Role::readonly));
    CHECK(metrics.body.find("hive_http_requests_total{") != std::string::npos);
    const auto page = hive.get("/", "");
    CHECK(page.status == 200);
    CHECK(page.headers.at("content-security-policy").find("default-src") != std::string::npos);
    CHECK(hive.get("/device", "").body.find("Let a program in") != std::string::npos);
    CHECK(hive.get("/api/v1/nothing", "").status == 404);
    CHECK(
        hive.get("/api/me", hive.key_for(accounts::Role::bee)).status ==
        200); // as the first clients ask
}

TEST_CASE("quotas are counted per key and route") {
    HiveUnderTest hive{{.quotas = {{"default", 3}}}};
    const std::string ann = hive.key_for(accounts::Role::human);
    const std::string bee = hive.key_for(accounts::Role::bee);
    for (int i = 0; i < 3; ++i) CHECK(hive.get("/api/v1/me", ann).status == 200);
    const auto over = hive.get("/api/v1/me", ann);
    CHECK(over.status == 429);
    CHECK(code_of(over) == "quota-exceeded");
    CHECK(std::stoi(over.headers.at("retry-after")) <= 20);
    CHECK(over.headers.at("ratelimit-policy") == R"("getMe";q=3;w=60)");
    CHECK(hive.get("/api/v1/me", bee).status == 200);
    CHECK(hive.get("/api/v1/audit", ann).status == 200); // another route, another bucket
}

// What every route has in common: tags, links, keys of repeated requests, and what is recorded.
#include "api/rest/swarm_keeper.hpp"
#include "loop/loop.hpp"
#include "store/swarm_tables.hpp"
#include "store/wait.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

namespace {

void begin_run(const HiveUnderTest& hive, const std::string& id) {
    REQUIRE(store::write_and_wait(*hive.database, {.work = [&](store::Session& session) {
        return store::SwarmTable{session, hive.hive}.begin_run(
            {.id = id, .swarm = "alpha", .created = hive.clock.wall()});
    }}));
}

json::object details_of(const HiveUnderTest& hive, std::string_view action) {
    const auto entry = hive.await_audit(action);
    REQUIRE(entry.disclosure);
    return parsed(entry.disclosure->details).as_object();
}

std::string match(std::string_view tag) {
    return fmt::format("If-Match: {}\r\n", tag);
}

} // namespace

TEST_CASE("a run that somebody else changed is not overwritten by who says what they have seen") {
    Swarms scene;
    begin_run(scene.hive, "run-1");
    const std::string path = "/api/v1/runs/run-1";
    const auto patch = [&](const std::string& headers, std::string_view body) {
        return scene.hive.send("PATCH", path, scene.admin() + headers, body);
    };
    const std::string first = scene.get("/runs/run-1").headers.at("etag");
    const auto changed = patch(match(first), R"({"notes":"mine"})");
    REQUIRE_MESSAGE(changed.status == 200, changed.body);
    CHECK(changed.headers.at("etag") != first);
    const auto late = patch(match(first), R"({"notes":"late"})");
    CHECK(late.status == 412);
    CHECK(code_of(late) == "changed-meanwhile");
    CHECK(late.headers.at("etag") == changed.headers.at("etag"));
    const auto now = scene.get("/runs/run-1");
    CHECK(parsed(now.body).at("notes") == "mine");
    CHECK(now.headers.at("etag") == changed.headers.at("etag"));
    CHECK(patch("", R"({"notes":"anyway"})").status == 200); // who says nothing is not asked
    const auto same = scene.get("/runs/run-1").headers.at("etag");
    const auto unchanged =
        scene.hive.get(path, scene.admin() + fmt::format("If-None-Match: {}\r\n", same));
    CHECK(unchanged.status == 304);
    CHECK(unchanged.body.empty());
}

TEST_CASE("a key is revoked only as it was seen; using it is no change") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const std::string text =
        hive.key_text({.id = "key-1", .owner = "b", .role = accounts::Role::bee});
    const std::string path = "/api/v1/keys/key-1";
    const std::string seen = hive.get(path, admin).headers.at("etag");
    CHECK(hive.get("/api/v1/me", HiveUnderTest::bearer(text)).status == 200);
    CHECK(hive.get(path, admin).headers.at("etag") == seen);
    CHECK(hive.send("POST", path + "/rotate", admin + match(seen)).status == 201);
    CHECK(hive.send("DELETE", path, admin + match(seen)).status == 412);
    CHECK(hive.get("/api/v1/me", HiveUnderTest::bearer(text)).status == 200);
    const std::string fresh = hive.get(path, admin).headers.at("etag");
    CHECK(hive.send("DELETE", path, admin + match(fresh)).status == 200);
    CHECK(hive.send("DELETE", "/api/v1/keys/none", admin + match(fresh)).status == 404);
}

TEST_CASE("a swarm is not sent again to who has it, and tags are documented") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    const auto first = scene.get("/swarms/alpha");
    REQUIRE(first.status == 200);
    const auto again = scene.hive.get(
        "/api/v1/swarms/alpha",
        scene.admin() + fmt::format("If-None-Match: {}\r\n", first.headers.at("etag")));
    CHECK(again.status == 304);
    scene.court.reports = {report("alpha", orchestrator::Phase::stopped)};
    CHECK(scene.get("/swarms/alpha").headers.at("etag") != first.headers.at("etag"));
    const auto paths = parsed(scene.hive.get("/api/openapi.json", "").body).at("paths");
    const auto& patch = paths.at("/api/v1/runs/{runId}").at("patch");
    CHECK(patch.at("responses").as_object().contains("412"));
    CHECK(to_text(patch.at("parameters")).find("If-Match") != std::string::npos);
    const auto& run = paths.at("/api/v1/runs/{runId}").at("get");
    CHECK(run.at("responses").at("200").at("headers").as_object().contains("ETag"));
    CHECK(run.at("responses").as_object().contains("304"));
    const auto& runs = paths.at("/api/v1/runs").at("get");
    CHECK(runs.at("responses").at("200").at("headers").as_object().contains("Link"));
}

TEST_CASE("pages are followed by their Link header to the last") {
    Swarms scene;
    for (int i = 0; i < 5; ++i) begin_run(scene.hive, fmt::format("run-{}", i));
    scene.court.reports = {report("a"), report("b"), report("c")};
    for (int i = 0; i < 4; ++i) {
        CHECK(
            scene.post("/keys", fmt::format(R"({{"owner":"b{}","role":"bee"}})", i)).status == 201);
    }
    for (const auto& [listing, items] : std::vector<std::pair<std::string, std::size_t>>{
             {"/api/v1/runs?swarm=alpha&limit=2", 5},
             {"/api/v1/swarms?limit=2", 3},
             {"/api/v1/keys?limit=3", 5},
             {"/api/v1/audit?action=key.created&limit=3", 4}}) {
        CAPTURE(listing);
        std::size_t seen = 0;
        for (std::string path = listing; !path.empty();) {
            const auto page = scene.hive.get(path, scene.admin());
            REQUIRE_MESSAGE(page.status == 200, page.body);
            const auto body = parsed(page.body).as_object();
            seen += body.at("items").as_array().size();
            CHECK(body.contains("next") == page.headers.contains("link"));
            path.clear();
            if (!body.contains("next")) break;
            const std::string& link = page.headers.at("link");
            REQUIRE(link.ends_with(R"(>; rel="next")"));
            path = link.substr(1, link.find('>') - 1);
        }
        CHECK(seen == items);
    }
}

TEST_CASE("an Idempotency-Key is never silently ignored where something changes") {
    Swarms scene;
    scene.court.reports = {report("x1")};
    const HiveUnderTest& hive = scene.hive;
    const std::string keyed = scene.admin() + "Idempotency-Key: k1\r\n";
    const std::string body = R"({"owner":"b","role":"bee"})";
    const auto refused = hive.send("POST", "/api/v1/keys", keyed, body);
    CHECK(refused.status == 400);
    CHECK(code_of(refused) == "idempotency-key-refused");
    CHECK(parsed(hive.get("/api/v1/keys", scene.admin()).body).at("items").as_array().size() == 1);
    hive.key_text({.id = "key-1", .owner = "b", .role = accounts::Role::bee});
    const auto first = hive.send("DELETE", "/api/v1/keys/key-1", keyed);
    const auto again = hive.send("DELETE", "/api/v1/keys/key-1", keyed);
    CHECK(first.status == 200);
    CHECK(again.body == first.body);
    CHECK(again.headers.contains("idempotent-replayed"));
    CHECK(hive.get("/api/v1/me", keyed).status == 200); // reading is not concerned
    CHECK(scene.post("/control-plane/refresh", "", "Idempotency-Key: k2\r\n").status == 202);
    std::size_t silent = 0;
    for (const auto& route : hive.server->routes().routes()) {
        CAPTURE(route.id);
        const bool reading = route.method == http::Method::get;
        if (reading || route.idempotency != api::Idempotency::ignored) continue;
        CHECK((route.id.starts_with("requestStatus") || route.id == "refreshControlPlane"));
        ++silent;
    }
    CHECK(silent == 4);
}

TEST_CASE("what was changed of a run and of a swarm is recorded, before and after") {
    Swarms scene;
    loop::Loop loop{1};
    rest::SwarmKeeper keeper{
        {.life = "life-1"},
        {.database = *scene.hive.database,
         .hive = scene.hive.hive,
         .clock = scene.clock,
         .loop = loop,
         .log = Logger{scene.hive.log, scene.clock, scene.hive.levels, "test"}}};
    scene.court.keep = [&](orchestrator::RiderPtr rider, std::function<void(Status)> answered) {
        keeper.keep({.riders = {std::move(rider)}}, std::move(answered));
    };
    begin_run(scene.hive, "run-1");
    const auto patched = scene.hive.send(
        "PATCH", "/api/v1/runs/run-1", scene.admin(),
        R"({"labels":{"ticket":"PH-4"},"notes":"slow","pinned":true})");
    REQUIRE(patched.status == 200);
    const auto run = details_of(scene.hive, "swarm.run.changed");
    CHECK(
        run.at("before") ==
        json::value{{"labels", json::object{}}, {"notes", ""}, {"pinned", false}});
    CHECK(
        run.at("after") ==
        json::value{{"labels", {{"ticket", "PH-4"}}}, {"notes", "slow"}, {"pinned", true}});

    auto known = std::make_shared<SwarmReport>(*report("alpha"));
    known->swarm.text.at("bees").at(1).as_object()["config"] = {{"rate", 1}, {"other", 2}};
    known->aggregate["workers"] =
        json::array{json::object{{"instance", "alpha-processor-1"}, {"enabled", true}}};
    scene.court.reports = {known};
    const auto sent = scene.post(
        "/swarms/alpha/components/processor/alpha-processor-1/config",
        R"({"rate":5,"enabled":false,"password":"hush"})");
    REQUIRE_MESSAGE(sent.status == 202, sent.body);
    const auto config = details_of(scene.hive, "swarm.configured");
    CHECK(config.at("after").at("rate") == 5);
    CHECK(config.at("after").at("password") == "[redacted]");
    CHECK(
        config.at("before") == json::value{
                                   {"template", {{"alpha-processor-1", {{"rate", 1}}}}},
                                   {"enabled", {{"alpha-processor-1", true}}}});
}

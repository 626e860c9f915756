#include "store/accounts_tables.hpp"
#include "store/wait.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <set>

using namespace hive;
using namespace hive::test;

namespace {

struct Made {
    std::string id;
    std::string text;
    std::string header;
};

Made make_key(const HiveUnderTest& hive, const std::string& admin, std::string_view body) {
    const auto answer = hive.send("POST", "/api/v1/keys", admin, body);
    REQUIRE_MESSAGE(answer.status == 201, answer.body);
    const auto made = parsed(answer.body);
    const std::string text{made.at("key").as_string()};
    return {std::string{made.at("record").at("id").as_string()}, text, HiveUnderTest::bearer(text)};
}

} // namespace

TEST_CASE("a key is shown once, works at once, and is nowhere to be found afterwards") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const Made bee = make_key(hive, admin, R"({"owner":"BOT-003","role":"bee","validFor":"24h"})");
    const auto me = parsed(hive.get("/api/v1/me", bee.header).body);
    CHECK(me.at("id") == "BOT-003");
    CHECK(me.at("role") == "bee");
    CHECK_FALSE(me.as_object().contains("csrfToken"));
    const auto shown = hive.get("/api/v1/keys/" + bee.id, admin);
    CHECK(shown.body.find(bee.text) == std::string::npos);
    CHECK(parsed(shown.body).at("state") == "active");
    const auto all = hive.get("/api/v1/audit?limit=1000", admin);
    CHECK(all.body.find(bee.text) == std::string::npos);
    for (const auto& line : hive.log.lines()) CHECK(line.find(bee.text) == std::string::npos);
    // Nor in the files of the store.
    REQUIRE(hive.server->shut_down(std::chrono::seconds{5}));
    for (const auto& file : std::filesystem::directory_iterator{hive.directory.path()}) {
        std::ifstream stream{file.path(), std::ios::binary};
        const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
        CHECK_MESSAGE(bytes.find(bee.text) == std::string::npos, file.path());
    }
}

TEST_CASE("a revoked key is refused from the next request on") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const Made bee = make_key(hive, admin, R"({"owner":"b","role":"bee"})");
    CHECK(hive.get("/api/v1/me", bee.header).status == 200);
    CHECK(hive.send("DELETE", "/api/v1/keys/" + bee.id, admin).status == 200);
    const auto refused = hive.get("/api/v1/me", bee.header);
    CHECK(refused.status == 401);
    CHECK(code_of(refused) == "bad-key");
    CHECK(refused.body.find("was revoked at") != std::string::npos);
    const auto entry = hive.await_audit("auth.failed");
    CHECK(entry.actor == "key");
    REQUIRE(entry.disclosure);
    CHECK(parsed(entry.disclosure->details).at("peer") == "127.0.0.1"); // which can be erased
}

TEST_CASE("a key that was revoked by another process is refused soon") {
    HiveUnderTest hive{{.gate = {.believed = std::chrono::milliseconds{50}}}};
    const std::string text = hive.key_text({.id = "k1", .owner = "b", .role = accounts::Role::bee});
    CHECK(hive.get("/api/v1/me", HiveUnderTest::bearer(text)).status == 200);
    REQUIRE(store::write_and_wait(*hive.database, {.work = [&](store::Session& session) -> Status {
        store::KeyTable table{session, hive.hive};
        auto key = table.find("k1");
        return table.update(accounts::revoke_key(**key, hive.clock.wall()));
    }}));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{5};
    int status = 200;
    while (status == 200 && std::chrono::steady_clock::now() < deadline) {
        status = hive.get("/api/v1/me", HiveUnderTest::bearer(text)).status;
    }
    CHECK(status == 401);
}

TEST_CASE("a rotated key and its successor both work, and only one successor is made") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const Made old = make_key(hive, admin, R"({"owner":"b","role":"bee","scopes":["tasks:read"]})");
    const auto rotated = hive.send("POST", "/api/v1/keys/" + old.id + "/rotate", admin);
    REQUIRE(rotated.status == 201);
    const auto fresh = parsed(rotated.body);
    CHECK(fresh.at("record").at("scopes") == json::value{"tasks:read"});
    const std::string successor = HiveUnderTest::bearer(fresh.at("key").as_string());
    CHECK(hive.get("/api/v1/me", old.header).status == 200);
    CHECK(hive.get("/api/v1/me", successor).status == 200);
    const auto shown = parsed(hive.get("/api/v1/keys/" + old.id, admin).body);
    CHECK(shown.at("rotatedTo") == fresh.at("record").at("id"));
    CHECK(shown.as_object().contains("expires"));
    CHECK(hive.send("POST", "/api/v1/keys/" + old.id + "/rotate", admin).status == 409);
}

TEST_CASE("bad requests for keys are refused with a reason") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const auto refuse = [&](std::string_view body) {
        const auto answer = hive.send("POST", "/api/v1/keys", admin, body);
        CHECK(answer.headers.at("content-type") == "application/problem+json");
        return std::pair{answer.status, answer.body};
    };
    CHECK(refuse("{}").first == 400);
    CHECK(refuse(R"({"owner":"","role":"bee"})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"king"})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"bee","more":1})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"bee","scopes":["tasks:fly"]})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"bee","scopes":["keys:write"]})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"bee","validFor":"soon"})").first == 400);
    CHECK(refuse(R"({"owner":"b","role":"bee","validFor":"-1s"})").first == 400);
    CHECK(hive.get("/api/v1/keys/key-none", admin).status == 404);
    CHECK(hive.send("DELETE", "/api/v1/keys/key-none", admin).status == 404);
    // A narrowed admin key cannot make a key that is wider than itself.
    const std::string narrow = HiveUnderTest::bearer(hive.key_text(
        {.id = {},
         .owner = "n",
         .role = accounts::Role::admin,
         .scopes = *accounts::Scopes::parse({"keys:write", "tasks:read"})}));
    CHECK(hive.send("POST", "/api/v1/keys", narrow, R"({"owner":"b","role":"bee"})").status == 403);
    CHECK(
        hive.send(
                "POST", "/api/v1/keys", narrow,
                R"({"owner":"b","role":"bee","scopes":["tasks:read"]})")
            .status == 201);
}

TEST_CASE("keys are listed page by page, and a cursor is good for its own listing only") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    std::set<std::string> made;
    for (int i = 0; i < 7; ++i) {
        made.insert(make_key(hive, admin, R"({"owner":"swarm","role":"bee"})").id);
    }
    std::set<std::string> listed;
    std::string next = "/api/v1/keys?owner=swarm&limit=3";
    std::string cursor;
    for (int page = 0; page < 4 && !next.empty(); ++page) {
        const auto answer = parsed(hive.get(next, admin).body);
        for (const auto& key : answer.at("items").as_array()) {
            CHECK(listed.insert(std::string{key.at("id").as_string()}).second);
        }
        next.clear();
        if (const auto* more = answer.as_object().if_contains("next")) {
            cursor = more->as_string().c_str();
            next = "/api/v1/keys?owner=swarm&limit=3&cursor=" + cursor;
        }
    }
    CHECK(listed == made);
    CHECK(hive.get("/api/v1/keys?limit=3&cursor=" + cursor, admin).status == 400);
    CHECK(hive.get("/api/v1/keys?owner=swarm&cursor=AAAA", admin).status == 400);
}

TEST_CASE("a request with an Idempotency-Key is done once, however often it is sent") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    const std::string other = hive.key_for(accounts::Role::human);
    const std::string keyed = bee + "Idempotency-Key: \"once\"\r\n";
    const auto first = hive.send("POST", "/api/v1/count", keyed, "{}");
    CHECK(first.status == 201);
    const auto again = hive.send("POST", "/api/v1/count", keyed, "{}");
    CHECK(again.status == 201);
    CHECK(again.body == first.body);
    CHECK(again.headers.at("content-type") == "application/json");
    CHECK(again.headers.at("idempotent-replayed") == "true");
    CHECK(
        code_of(hive.send("POST", "/api/v1/count", keyed, R"({"a":1})")) ==
        "idempotency-key-reused");
    CHECK(parsed(hive.send("POST", "/api/v1/count", bee, "{}").body).at("count") == 2);
    // Another caller's key of that name is another key; and it survives a restart.
    const std::string elsewhere = other + "Idempotency-Key: \"once\"\r\n";
    CHECK(parsed(hive.send("POST", "/api/v1/count", elsewhere, "{}").body).at("count") == 3);
    hive.restart();
    CHECK(hive.send("POST", "/api/v1/count", keyed, "{}").body == first.body);
}

TEST_CASE("many at the same time with one Idempotency-Key are one change and one entry") {
    HiveUnderTest hive;
    const std::string keyed = hive.key_for(accounts::Role::bee) + "Idempotency-Key: \"race\"\r\n";
    const std::uint64_t before = hive.audit_size();
    std::vector<std::future<Answer>> answers;
    for (int i = 0; i < 16; ++i) {
        answers.push_back(std::async(
            std::launch::async, [&] { return hive.send("POST", "/api/v1/count", keyed, "{}"); }));
    }
    for (auto& answer : answers) {
        const auto got = answer.get();
        CHECK(got.status == 201);
        CHECK(parsed(got.body).at("count") == 1);
    }
    CHECK(hive.audit_size() == before + 1);
}

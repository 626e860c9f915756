// What is refused is written down, with a reason and without a flood.
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

json::object details_of(const audit::Entry& entry) {
    REQUIRE(entry.disclosure);
    return parsed(entry.disclosure->details).as_object();
}

// The entry with this reason, once it is there.
audit::Entry await_reason(const HiveUnderTest& hive, std::string_view reason) {
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < deadline) {
        for (auto& entry : hive.audit_entries()) {
            if (!entry.action.starts_with("auth.")) continue;
            const auto details = details_of(entry);
            const auto* found = details.if_contains("reason");
            if (found != nullptr &&
                std::string_view{found->as_string()}.find(reason) != reason.npos) {
                return entry;
            }
        }
        std::this_thread::sleep_for(5ms);
    }
    FAIL("no entry about " << std::string{reason});
    return {};
}

} // namespace

TEST_CASE("a replayed and a forged ticket are written down") {
    HiveUnderTest hive;
    const std::string word = hive.ticket(hive.key_for(accounts::Role::bee));
    WsClient first{hive.connect(), "/ws?token=" + word};
    CHECK_THROWS(WsClient{hive.connect(), "/ws?token=" + word});
    const auto entry = await_reason(hive, "ticket is unknown, used or too old");
    CHECK(entry.action == "auth.failed");
    CHECK(entry.actor == "ticket");
    CHECK(details_of(entry).at("peer") == "127.0.0.1");
    for (const auto& other : hive.audit_entries()) {
        if (!other.disclosure) continue;
        CHECK(other.disclosure->details.find(word) == std::string::npos);
    }
}

TEST_CASE("a forged cookie is nobody, and written down; one that ended is only nobody") {
    HiveUnderTest hive;
    const std::string forged = "Cookie: hive_session=" + std::string(43, 'A') + "\r\n";
    CHECK(hive.get("/api/v1/me", forged).status == 401);
    const auto entry = await_reason(hive, "no such session");
    CHECK(entry.actor == "session");
    CHECK(entry.action == "auth.failed");
}

TEST_CASE("a script of another site is written down") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    CHECK_THROWS(WsClient{hive.connect(), "/ws", bee + "Origin: https://evil.example\r\n"});
    const auto entry = await_reason(hive, "foreign-origin");
    CHECK(entry.action == "auth.denied");
    CHECK(entry.actor == "bee:bee");
    CHECK(entry.entity_id == "openEventSocket");
}

TEST_CASE("what a role or a scope does not allow is written down, with who asked for what") {
    HiveUnderTest hive;
    const std::string body = R"({"owner":"b","role":"bee"})";
    CHECK(hive.send("POST", "/api/v1/keys", hive.key_for(accounts::Role::bee), body).status == 403);
    const auto by_role = await_reason(hive, "role-not-allowed");
    CHECK(by_role.actor == "bee:bee");
    CHECK(by_role.entity_type == "operation");
    CHECK(by_role.entity_id == "createKey");
    const std::string narrow = HiveUnderTest::bearer(hive.key_text(
        {.id = {},
         .owner = "narrow",
         .role = accounts::Role::admin,
         .scopes = accounts::Scopes::parse({"tasks:read"}).value()}));
    CHECK(hive.send("POST", "/api/v1/keys", narrow, body).status == 403);
    CHECK(await_reason(hive, "scope-missing").actor == "admin:narrow");
    // Nobody is asked for a key, which is no offence.
    const auto before = hive.audit_size();
    CHECK(hive.send("POST", "/api/v1/keys", "", body).status == 401);
    CHECK(hive.audit_size() == before);
}

TEST_CASE("a flood of refusals is two entries: the first, and how many there were") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    for (int i = 0; i < 200; ++i) CHECK(hive.get("/api/v1/keys", bee).status == 403);
    await_reason(hive, "role-not-allowed");
    hive.restart(); // what was counted is written down at the end
    std::vector<std::int64_t> counts;
    for (const auto& entry : hive.audit_entries()) {
        if (entry.action == "auth.denied") {
            counts.push_back(details_of(entry).at("count").as_int64());
        }
    }
    CHECK(counts == std::vector<std::int64_t>{1, 199});
    CHECK(hive.verify().good());
}

// Event streams that outlive what they began with: the server, the key, the session.
#include "api/rest/key_routes.hpp"
#include "store/wait.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

constexpr int signed_out = 4001;

// Connected and subscribed to tasks.
WsClient listening(const HiveUnderTest& hive, const std::string& target, std::string_view headers) {
    WsClient client{hive.connect(), target, headers};
    CHECK(parsed(client.receive_text()).at("type") == "welcome");
    client.text(R"({"op":"subscribe","topics":["task.#"]})");
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
    return client;
}

// A feed of tasks. With `&since=0` it tells also what happened before the server had read the
// request.
Client feed(const HiveUnderTest& hive, std::string_view headers, std::string_view more = "") {
    Client client = hive.connect();
    client.send(fmt::format(
        "GET /api/v1/events?topics=task.%23{} HTTP/1.1\r\nHost: h\r\n{}\r\n", more, headers));
    return client;
}

// Reads until this was said.
std::string read_until(Client& client, std::string_view word) {
    std::string stream;
    while (stream.find(word) == stream.npos) {
        const std::string more = client.receive_some();
        REQUIRE_MESSAGE(!more.empty(), stream);
        stream += more;
    }
    return stream;
}

std::string key_id(const HiveUnderTest& hive, const std::string& key) {
    return std::string{parsed(hive.get("/api/v1/me", key).body).at("proofId").as_string()};
}

void revoke_elsewhere(const HiveUnderTest& hive, const std::string& id) {
    REQUIRE(store::write_and_wait(*hive.database, {.work = [&](store::Session& session) {
        const rest::Cause cause{.actor = "human:operator"};
        rest::Change change{session, cause, hive.clock.wall()};
        auto revoked = rest::revoke_and_record(change, hive.hive, id);
        return revoked ? Status{} : fail(revoked.error());
    }}));
}

} // namespace

TEST_CASE("who resumes behind a restart is told that there is a gap, over WebSocket and SSE") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    for (int i = 0; i < 3; ++i) hive.server->events().publish("task.created", R"({"life":1})");
    const std::uint64_t seen = hive.server->events().last();
    hive.restart();
    // More than before: by counting alone, `seen` would lie among them.
    for (int i = 0; i < 9; ++i) hive.server->events().publish("task.created", R"({"life":2})");
    const std::uint64_t last = hive.server->events().last();

    WsClient client{hive.connect(), "/ws", bee};
    const auto welcome = parsed(client.receive_text());
    CHECK(welcome.at("seq").to_number<std::uint64_t>() >= last);
    client.text(fmt::format(R"({{"op":"subscribe","topics":["task.#"],"since":{}}})", seen));
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
    const auto gap = parsed(client.receive_text());
    CHECK(gap.at("type") == "gap");
    CHECK(gap.at("first").to_number<std::uint64_t>() == seen + 1);
    for (int i = 0; i < 9; ++i) {
        const auto event = parsed(client.receive_text());
        CHECK(event.at("data").at("life") == 2);
        CHECK(
            event.at("seq").to_number<std::uint64_t>() > gap.at("last").to_number<std::uint64_t>());
    }

    const std::string last_id = fmt::format("{}Last-Event-ID: {}\r\n", bee, seen);
    Client browser = feed(hive, last_id);
    const std::string told = read_until(browser, fmt::format("id: {}\n", last));
    CHECK(told.find("event: gap") < told.find(R"({"life":2})"));
    CHECK(told.find(fmt::format(R"("first":{},)", seen + 1)) != told.npos);
    // Who asks for everything there is has missed nothing.
    Client fresh = feed(hive, bee, "&since=0");
    CHECK(read_until(fresh, fmt::format("id: {}\n", last)).find("event: gap") == told.npos);
}

TEST_CASE("a revoked key hears no more: its WebSocket is closed with 4001, its feed ends") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    const std::string bee = hive.key_for(accounts::Role::bee);
    WsClient by_key = listening(hive, "/ws", bee);
    WsClient by_ticket = listening(hive, "/ws?token=" + hive.ticket(bee), "");
    WsClient other = listening(hive, "/ws", admin);
    Client stream = feed(hive, bee, "&since=0");
    hive.server->events().publish("task.created", R"({"n":1})");
    read_until(stream, R"({"n":1})");
    REQUIRE(hive.send("DELETE", "/api/v1/keys/" + key_id(hive, bee), admin).status == 200);
    CHECK(by_key.receive_close() == signed_out);
    CHECK(by_ticket.receive_close() == signed_out);
    const std::string told = read_until(stream, R"("code":"signed-out")");
    CHECK(told.find("event: end") != told.npos);
    CHECK(stream.closed_by_server());
    hive.server->events().publish("task.created", R"({"n":2})");
    CHECK(parsed(other.receive_text()).at("data").at("n") == 1);
    CHECK(parsed(other.receive_text()).at("data").at("n") == 2);
}

TEST_CASE("a key that was revoked beside the server, or expires, hears no more within a second") {
    HiveUnderTest hive;
    const std::string revoked = hive.key_for(accounts::Role::bee);
    const std::string expiring = HiveUnderTest::bearer(
        hive.key_text({.id = {}, .owner = "short", .role = accounts::Role::bee, .valid_for = 2s}));
    const std::string rotated = hive.key_for(accounts::Role::human);
    WsClient first = listening(hive, "/ws", revoked);
    WsClient second = listening(hive, "/ws", expiring);
    WsClient third = listening(hive, "/ws", rotated);
    const std::string admin = hive.key_for(accounts::Role::admin);
    const auto path = fmt::format("/api/v1/keys/{}/rotate", key_id(hive, rotated));
    REQUIRE(hive.send("POST", path, admin).status == 201);
    revoke_elsewhere(hive, key_id(hive, revoked));
    CHECK(first.receive_close() == signed_out);
    CHECK(second.receive_close() == signed_out);
    // The old key of a rotation still works, and so does its stream.
    hive.server->events().publish("task.created", "{}");
    CHECK(parsed(third.receive_text()).at("topic") == "task.created");
}

TEST_CASE("a browser that signs out hears no more, in any of its windows") {
    HiveUnderTest hive;
    Browser ann{hive};
    Browser bob{hive};
    for (auto* person : {&ann, &bob}) {
        person->open(hive.server->login_link(person == &ann ? "ann" : "bob", accounts::Role::human)
                         .substr(hive.server->url().size()));
    }
    const std::string cookie = "Cookie: " + ann.cookie + "\r\nOrigin: http://hive\r\n";
    WsClient window = listening(hive, "/ws", cookie);
    Client stream = feed(hive, cookie, "&since=0");
    WsClient other =
        listening(hive, "/ws", "Cookie: " + bob.cookie + "\r\nOrigin: http://hive\r\n");
    REQUIRE(ann.send("DELETE", "/api/v1/session").status == 204);
    CHECK(window.receive_close() == signed_out);
    read_until(stream, "event: end");
    hive.server->events().publish("task.created", "{}");
    CHECK(parsed(other.receive_text()).at("topic") == "task.created");
}

TEST_CASE("a session that falls idle takes its streams along") {
    HiveUnderTest hive{{.gate = {.sessions = {.idle = 2s}}}};
    Browser ann{hive};
    ann.open(
        hive.server->login_link("ann", accounts::Role::human).substr(hive.server->url().size()));
    WsClient window =
        listening(hive, "/ws", "Cookie: " + ann.cookie + "\r\nOrigin: http://hive\r\n");
    CHECK(window.receive_close() == signed_out);
}

TEST_CASE("behind a proxy that speaks TLS a browser's Origin is the public URL") {
    HiveUnderTest hive{{.public_url = "https://hive.example"}};
    const std::string bee = hive.key_for(accounts::Role::bee);
    WsClient own{hive.connect(), "/ws", bee + "Origin: https://hive.example\r\n"};
    CHECK(parsed(own.receive_text()).at("type") == "welcome");
    CHECK_THROWS(WsClient{hive.connect(), "/ws", bee + "Origin: http://hive.example\r\n"});
}

TEST_CASE("the first clients' words are understood: channels of tasks, of bees and of people") {
    HiveUnderTest hive;
    WsClient client{hive.connect(), "/ws", hive.key_for(accounts::Role::bee)};
    client.receive_text();
    client.text(R"({"action":"subscribe","channel":"task:TASK-009"})");
    const auto subscribed = parsed(client.receive_text());
    CHECK(subscribed.at("type") == "subscribed");
    CHECK(subscribed.at("channel") == "task:TASK-009");
    api::EventHub& events = hive.server->events();
    events.publish("task.claimed.TASK-008", R"({"n":0})");
    events.publish("task.claimed.TASK-009", R"({"n":1})");
    events.publish("message.new.m1.general", R"({"n":0})");
    events.publish("message.new.m2.task:TASK-009", R"({"n":2})");
    for (int n = 1; n <= 2; ++n) {
        const auto event = parsed(client.receive_text());
        CHECK(event.at("type") == "event");
        CHECK(event.at("data").at("n") == n);
    }
    client.text(R"({"action":"unsubscribe","channel":"task:TASK-009"})");
    CHECK(parsed(client.receive_text()).at("type") == "unsubscribed");
    client.text(R"({"action":"subscribe","channel":"general"})");
    CHECK(parsed(client.receive_text()).at("channel") == "general");
    events.publish("message.new.m3.task:TASK-009", R"({"n":0})");
    events.publish("message.new.m4.general", R"({"n":3})");
    CHECK(parsed(client.receive_text()).at("data").at("n") == 3);
    for (const char* wrong :
         {R"({"action":"subscribe"})", R"({"action":"subscribe","channel":7})",
          R"({"action":"dance","channel":"general"})"}) {
        client.text(wrong);
        CHECK(parsed(client.receive_text()).at("code") == "invalid-input");
    }
}

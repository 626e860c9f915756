#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

namespace {

WsClient listen(const HiveUnderTest& hive, const std::string& token, std::string_view topics) {
    WsClient client{hive.connect(), "/ws?token=" + token};
    CHECK(parsed(client.receive_text()).at("type") == "welcome");
    client.text(fmt::format(R"({{"op":"subscribe","topics":["{}"]}})", topics));
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
    return client;
}

} // namespace

TEST_CASE("a change is heard by those who may hear it, after it is committed") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    WsClient listening = listen(hive, hive.ticket(admin), "key.#");
    const auto made =
        parsed(hive.send("POST", "/api/v1/keys", admin, R"({"owner":"b","role":"bee"})").body);
    const auto event = parsed(listening.receive_text());
    CHECK(event.at("topic") == "key.created");
    CHECK(event.at("data").at("entityId") == made.at("record").at("id"));
    CHECK(event.at("data").at("actor") == "admin:admin");
}

TEST_CASE("a bee hears nothing of keys, whatever it subscribes to") {
    HiveUnderTest hive;
    WsClient bee = listen(hive, hive.ticket(hive.key_for(accounts::Role::bee)), "#");
    hive.send(
        "POST", "/api/v1/keys", hive.key_for(accounts::Role::admin),
        R"({"owner":"b","role":"bee"})");
    hive.server->events().publish("task.created", R"({"id":1})");
    CHECK(parsed(bee.receive_text()).at("topic") == "task.created");
}

TEST_CASE("a ticket opens one WebSocket; replayed, forged and used elsewhere it is refused") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    const std::string word = hive.ticket(bee);
    WsClient first{hive.connect(), "/ws?token=" + word};
    CHECK_THROWS(WsClient{hive.connect(), "/ws?token=" + word});
    CHECK_THROWS(WsClient{hive.connect(), "/ws?token=forged"});
    CHECK_THROWS(WsClient{hive.connect(), "/ws"});
    CHECK(hive.get("/api/v1/me?token=" + hive.ticket(bee), "").status == 401);
    // As the first clients do it: the key itself in the address. It does not reach the log.
    const std::string key = hive.key_text({.id = {}, .owner = "old", .role = accounts::Role::bee});
    WsClient old{hive.connect(), "/ws?token=" + key};
    for (const auto& line : hive.log.lines()) CHECK(line.find(key) == std::string::npos);
}

TEST_CASE("a script of another site cannot open a WebSocket with the user's cookie") {
    HiveUnderTest hive;
    Browser ann{hive};
    ann.open(
        hive.server->login_link("ann", accounts::Role::human).substr(hive.server->url().size()));
    const std::string cookie = "Cookie: " + ann.cookie + "\r\n";
    CHECK_THROWS(WsClient{hive.connect(), "/ws", cookie + "Origin: https://evil.example\r\n"});
    WsClient own{hive.connect(), "/ws", cookie + "Origin: http://hive\r\n"};
    CHECK(parsed(own.receive_text()).at("type") == "welcome");
}

TEST_CASE("a client that begins gets the state first and then what changes it") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    WsClient client{hive.connect(), "/ws?token=" + hive.ticket(admin)};
    client.receive_text();
    client.text(R"({"op":"subscribe","topics":["key.#","hive.#"],"snapshot":true})");
    const auto server = parsed(client.receive_text());
    CHECK(server.at("topic") == "hive");
    CHECK(server.at("data").at("hive") == "main");
    const auto keys = parsed(client.receive_text());
    CHECK(keys.at("type") == "snapshot");
    CHECK(keys.at("data").as_array().size() == 1);
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
    hive.send("POST", "/api/v1/keys", admin, R"({"owner":"b","role":"bee"})");
    const auto event = parsed(client.receive_text());
    CHECK(event.at("topic") == "key.created");
    CHECK(event.at("seq").as_int64() > keys.at("seq").as_int64());
}

TEST_CASE("a snapshot holds nothing that the client may not see") {
    HiveUnderTest hive;
    WsClient bee{hive.connect(), "/ws?token=" + hive.ticket(hive.key_for(accounts::Role::bee))};
    bee.receive_text();
    bee.text(R"({"op":"subscribe","topics":["#"],"snapshot":true})");
    CHECK(parsed(bee.receive_text()).at("type") == "subscribed");
    bee.text(R"({"op":"subscribe","topics":["task.#"],"snapshot":true,"since":1})");
    CHECK(parsed(bee.receive_text()).at("code") == "invalid-input");
}

TEST_CASE("events are resumed without loss over a new connection, as SSE too") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    for (int i = 1; i <= 5; ++i) {
        hive.server->events().publish("task.created", fmt::format(R"({{"n":{}}})", i));
    }
    WsClient client{hive.connect(), "/ws?token=" + hive.ticket(bee)};
    client.receive_text();
    const auto last = hive.server->events().last();
    client.text(fmt::format(R"({{"op":"subscribe","topics":["task.#"],"since":{}}})", last - 4));
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
    // Issuing the ticket is an event as well, but not one of tasks.
    std::vector<std::int64_t> heard;
    while (heard.empty() || heard.back() != 5) {
        heard.push_back(parsed(client.receive_text()).at("data").at("n").as_int64());
    }
    CHECK(heard.front() <= 3);
    Client feed = hive.connect();
    feed.send(fmt::format(
        "GET /api/v1/events?topics=task.%23&since=0 HTTP/1.1\r\nHost: h\r\n{}\r\n", bee));
    std::string stream;
    while (stream.find(R"({"n":5})") == stream.npos) {
        const std::string more = feed.receive_some();
        REQUIRE_FALSE(more.empty());
        stream += more;
    }
    CHECK(stream.find(R"({"n":1})") != stream.npos);
}

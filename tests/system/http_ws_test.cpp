#include "kernel/json.hpp"
#include "tests/system/http_api.hpp"
#include "tests/system/http_transport.hpp"
#include "tests/system/http_ws_client.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view ws_path = "/ws?token=admin-key";

json::value parsed(const std::string& text) {
    auto value = parse_json(text);
    REQUIRE_MESSAGE(value, text);
    return std::move(*value);
}

// Connected and past its welcome.
WsClient listening(const ApiUnderTest& under, std::string_view path = ws_path) {
    WsClient client{under.connect(), path};
    CHECK(parsed(client.receive_text()).at("type") == "welcome");
    return client;
}

void subscribe(WsClient& client, std::string_view rest) {
    client.text(R"({"op":"subscribe",)" + std::string{rest} + "}");
    CHECK(parsed(client.receive_text()).at("type") == "subscribed");
}

std::uint64_t next_event(WsClient& client) {
    const auto message = parsed(client.receive_text());
    REQUIRE(message.at("type") == "event");
    return message.at("seq").to_number<std::uint64_t>();
}

} // namespace

TEST_CASE("a subscriber hears what it asked for, in order, and nothing else") {
    ApiUnderTest under;
    WsClient client = listening(under);
    subscribe(client, R"("topics":["task.#","bee.*"])");
    for (int i = 0; i < 100; ++i) {
        under.hub.publish("task.done", R"({"n":1})");
        under.hub.publish("other.topic", "{}");
    }
    under.hub.publish("bee.joined", R"({"id":"b1"})");
    for (std::uint64_t i = 0; i < 100; ++i) CHECK(next_event(client) == 2 * i + 1);
    const auto last = parsed(client.receive_text());
    CHECK(
        last ==
        json::value{
            {"type", "event"}, {"seq", 201}, {"topic", "bee.joined"}, {"data", {{"id", "b1"}}}});
    client.text(R"({"op":"unsubscribe","topics":["task.#"]})");
    CHECK(parsed(client.receive_text()).at("type") == "unsubscribed");
    under.hub.publish("task.done", "{}");
    under.hub.publish("bee.left", "{}");
    CHECK(next_event(client) == 203);
}

TEST_CASE("a client that comes back misses nothing and gets nothing twice") {
    ApiUnderTest under;
    std::atomic<bool> stop{false};
    auto publisher = std::async(std::launch::async, [&] {
        std::uint64_t last = 0;
        while (!stop) {
            last = under.hub.publish("task.tick", "{}");
            std::this_thread::sleep_for(100us);
        }
        return last;
    });
    std::uint64_t seen = 0;
    for (int life = 0; life < 5; ++life) {
        WsClient client = listening(under);
        subscribe(client, R"("topics":["task.#"],"since":)" + std::to_string(seen));
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t sequence = next_event(client);
            REQUIRE(sequence == seen + 1);
            seen = sequence;
        }
    }
    stop = true;
    CHECK(publisher.get() >= seen);
}

TEST_CASE("events beyond the window are announced as a gap") {
    ApiUnderTest under{{}, {.window_events = 3, .window_bytes = 1000}};
    for (int i = 0; i < 10; ++i) under.hub.publish("task.tick", "{}");
    WsClient client = listening(under);
    subscribe(client, R"("topics":["#"],"since":2)");
    CHECK(parsed(client.receive_text()) == json::value{{"type", "gap"}, {"first", 3}, {"last", 7}});
    CHECK(next_event(client) == 8);
}

TEST_CASE("a client that does not read is told what it missed and closed with 4008") {
    ApiUnderTest under{
        {.queued_frames = 50, .queued_bytes = 1U << 20U, .close_within = 60s},
        {.window_events = 1000, .window_bytes = 64U << 20U}};
    WsClient slow = listening(under);
    WsClient quick = listening(under);
    subscribe(slow, R"("topics":["#"])");
    subscribe(quick, R"("topics":["#"])");
    const std::string large = '"' + std::string(100'000, 'x') + '"';
    // Far more than both sockets' buffers hold; the quick one reads along.
    constexpr std::uint64_t events = 300;
    for (std::uint64_t i = 1; i <= events; ++i) {
        under.hub.publish("task.big", large);
        CHECK(next_event(quick) == i);
    }
    std::uint64_t last = 0;
    for (;;) {
        const ReceivedFrame got = slow.receive();
        if (got.opcode == ws::Opcode::close) {
            CHECK(got.close_code() == 4008);
            break;
        }
        const auto message = parsed(got.payload);
        if (message.at("type") == "gap") {
            CHECK(message.at("first").to_number<std::uint64_t>() == last + 1);
            CHECK(message.at("last").to_number<std::uint64_t>() > last);
        } else {
            CHECK(message.at("seq").to_number<std::uint64_t>() == last + 1);
            ++last;
        }
    }
    CHECK(last < events);
    // What it missed can be had.
    WsClient again = listening(under);
    subscribe(again, R"("topics":["#"],"since":)" + std::to_string(last));
    while (last < events) REQUIRE(next_event(again) == ++last);
}

TEST_CASE("topics a principal may not hear stay silent") {
    ApiUnderTest under;
    WsClient bee = listening(under, "/ws?token=bee-key");
    WsClient admin = listening(under);
    subscribe(bee, R"("topics":["#"])");
    subscribe(admin, R"("topics":["#"])");
    under.hub.publish("secret.key", "{}");
    under.hub.publish("open.door", "{}");
    CHECK(next_event(admin) == 1);
    CHECK(next_event(bee) == 2);
}

TEST_CASE("what a client gets wrong is explained, and the connection goes on") {
    ApiUnderTest under;
    WsClient client = listening(under);
    for (const std::string_view bad :
         {"{", "[]", "{}", R"({"op":1})", R"({"op":"dance"})", R"({"op":"subscribe"})",
          R"({"op":"subscribe","topics":[]})", R"({"op":"subscribe","topics":[1]})",
          R"({"op":"subscribe","topics":["a..b"]})",
          R"({"op":"subscribe","topics":["a"],"since":"x"})", "[[[[[[[[[]]]]]]]]]"}) {
        CAPTURE(bad);
        client.text(bad);
        CHECK(parsed(client.receive_text()).at("type") == "problem");
    }
    subscribe(client, R"("topics":["#"])");
}

TEST_CASE("who may not connect is refused before the upgrade") {
    ApiUnderTest under;
    const auto status = [&](std::string_view path, std::string_view headers) {
        Client client = under.connect();
        client.send(
            "GET " + std::string{path} + " HTTP/1.1\r\nHost: hive\r\n" + std::string{headers} +
            "\r\n");
        return client.receive()->status;
    };
    const std::string upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    CHECK(status("/ws", upgrade) == 401);
    CHECK(status("/ws?token=no", upgrade) == 401);
    CHECK(status("/ws?token=read-key", upgrade) == 403);
    CHECK(status(ws_path, upgrade + "Origin: https://evil.example\r\n") == 403);
    CHECK(status(ws_path, upgrade + "Origin: https://hive\r\n") == 403); // we speak http here
    CHECK(status(ws_path, upgrade + "Origin: http://hive\r\n") == 101);
    CHECK(status(ws_path, upgrade + "Origin: https://friend.example\r\n") == 101);
    CHECK(status(ws_path, "") == 426);
    CHECK(status(ws_path, "Upgrade: websocket\r\nConnection: Upgrade\r\n") == 426);
}

TEST_CASE("hostile frames end the connection with the right code") {
    ApiUnderTest under{{.message_bytes = 1000}};
    const auto code = [&](const std::function<void(WsClient&)>& attack) {
        WsClient client = listening(under);
        attack(client);
        const int got = client.receive_close();
        CHECK(client.raw().closed_by_server());
        return got;
    };
    CHECK(code([](WsClient& c) { c.raw().send("\x81\x05hello"); }) == 1002);
    CHECK(code([](WsClient& c) { c.frame(0xc1, "x"); }) == 1002);
    CHECK(code([](WsClient& c) { c.frame(0x80, "x"); }) == 1002);
    CHECK(code([](WsClient& c) { c.frame(0x09, "x"); }) == 1002);
    CHECK(code([](WsClient& c) { c.frame(0x81, "\xff"); }) == 1007);
    CHECK(code([](WsClient& c) { c.frame(0x81, std::string(1001, 'x')); }) == 1009);
    CHECK(code([](WsClient& c) { c.frame(0x82, "x"); }) == 1003);
    CHECK(code([](WsClient& c) { c.frame(0x88, "\x0f\xa0"); }) == 4000);
    CHECK(code([](WsClient& c) { c.frame(0x88, ""); }) == 1000);
    // A length of 2^62 must cost nothing.
    CHECK(code([](WsClient& c) {
              c.raw().send(std::string_view{"\x82\xff\x40\0\0\0\0\0\0\0\0\0\0\0", 14});
          }) == 1009);
}

TEST_CASE("pings are answered, and a client that answers none is dropped") {
    ApiUnderTest under{{.ping_after = 50ms, .pong_within = 50ms}};
    WsClient client = listening(under);
    client.frame(0x89, "are you there");
    const ReceivedFrame pong = client.receive();
    CHECK(pong.opcode == ws::Opcode::pong);
    CHECK(pong.payload == "are you there");
    CHECK(client.receive().opcode == ws::Opcode::ping);
    client.frame(0x8a, "");
    CHECK(client.receive().opcode == ws::Opcode::ping);
    CHECK(client.raw().closed_by_server());
}

TEST_CASE("a shutdown says goodbye with 1001 and waits for the answer") {
    ApiUnderTest under;
    WsClient client = listening(under);
    subscribe(client, R"("topics":["#"])");
    auto drained = std::async(std::launch::async, [&] { return under.server->shut_down(10s); });
    CHECK(client.receive_close() == 1001);
    client.frame(0x88, "\x03\xe9");
    CHECK(client.raw().closed_by_server());
    client.raw().end_sending();
    CHECK(drained.get());
}

TEST_CASE("one event reaches a thousand subscribers") {
    ApiUnderTest under;
    std::vector<WsClient> clients;
    for (int i = 0; i < 1000; ++i) clients.push_back(listening(under));
    for (auto& client : clients) subscribe(client, R"("topics":["news.#"])");
    under.hub.publish("news.today", "{}");
    for (auto& client : clients) CHECK(next_event(client) == 1);
}

TEST_CASE(
    "server-sent events carry the same stream, resume by Last-Event-ID, and end on shutdown") {
    ApiUnderTest under;
    under.hub.publish("task.one", "{}");
    under.hub.publish("task.two", "{}");
    Client client = under.connect();
    client.send("GET /api/v1/events?topics=task.%23&token=admin-key HTTP/1.1\r\nHost: h\r\n"
                "Last-Event-ID: 1\r\n\r\n");
    const auto head = client.receive();
    REQUIRE(head);
    CHECK(head->headers.at("content-type") == "text/event-stream");
    CHECK_FALSE(head->headers.contains("content-length"));
    const std::string second =
        "id: 2\ndata: {\"type\":\"event\",\"seq\":2,\"topic\":\"task.two\",\"data\":{}}\n\n";
    CHECK(client.receive_exactly(second.size()) == second);
    under.hub.publish("bee.x", "{}");
    under.hub.publish("task.three", "{\n}");
    CHECK(client.receive_exactly(6) == "id: 4\n");
    auto drained = std::async(std::launch::async, [&] { return under.server->shut_down(10s); });
    CHECK(client.closed_by_server());
    client.end_sending();
    CHECK(drained.get());
    CHECK(eventually([&] { return under.server->traffic().open == 0; }));
}

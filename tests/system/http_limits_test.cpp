#include "tests/system/http_transport.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Timeouts a test can wait for. What is not under test stays long.
http::Limits patient() {
    http::Limits limits;
    limits.sweep_every = 5ms;
    return limits;
}

} // namespace

TEST_CASE("a head that comes too slowly is answered with 408, however steadily it drips") {
    http::Limits limits = patient();
    limits.head_timeout = 200ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    client.send("GET / HTTP/1.1\r\nHost: h\r\nX: ");
    // A byte now and then must not buy time.
    CHECK(eventually([&] {
        client.try_send("a");
        return under.server->traffic().timed_out > 0;
    }));
    const auto answer = client.receive();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(client.closed_by_server());
}

TEST_CASE("a head that stops in the middle is answered with 408") {
    http::Limits limits = patient();
    limits.head_timeout = 50ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    client.send("GET / HTTP/1.1\r\nHos");
    const auto answer = client.receive();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(answer->body.starts_with("head-timeout"));
    CHECK(client.closed_by_server());
}

TEST_CASE("a body that stops in the middle is answered with 408") {
    http::Limits limits = patient();
    limits.body_timeout = 50ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    const auto answer = client.receive();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(answer->body.starts_with("body-timeout"));
}

TEST_CASE("an idle connection is closed without a word") {
    http::Limits limits = patient();
    limits.idle_timeout = 50ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    client.get("/");
    CHECK_FALSE(client.receive());
    CHECK(eventually([&] { return under.server->traffic().open == 0; }));
}

TEST_CASE("a connection that never says anything is closed") {
    http::Limits limits = patient();
    limits.head_timeout = 50ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    CHECK_FALSE(client.receive());
}

TEST_CASE("a peer that does not read its answer is cut off, and its memory is freed") {
    http::Limits limits = patient();
    limits.write_timeout = 100ms;
    TransportUnderTest under{limits};
    Client client = under.connect();
    client.shrink_receive_buffer();
    for (int i = 0; i < 64; ++i) {
        if (!client.try_send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")) break;
    }
    CHECK(eventually([&] {
        return under.server->traffic().timed_out > 0 && under.server->traffic().open == 0;
    }));
}

TEST_CASE("oversized requests get their status and a closed connection") {
    http::Limits limits = patient();
    limits.head_bytes = 1024;
    limits.headers = 5;
    limits.target_bytes = 100;
    TransportUnderTest under{limits};
    const auto refused = [&](const std::string& text) {
        Client client = under.connect();
        client.try_send(text);
        const auto answer = client.receive();
        CHECK(client.closed_by_server());
        return answer ? answer->status : 0;
    };
    const std::string get = "GET / HTTP/1.1\r\nHost: h\r\n";
    CHECK(refused(get + "X: " + std::string(2000, 'x') + "\r\n\r\n") == 431);
    CHECK(refused(get + "A: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\n\r\n") == 431);
    CHECK(refused("GET /" + std::string(200, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 414);
    CHECK(
        refused("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world") == 413);
    CHECK(
        refused("POST /small HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                "b\r\nhello world\r\n0\r\n\r\n") == 413);
    CHECK(under.server->traffic().refused_requests == 5);
}

TEST_CASE("a refusal reaches a client that is still sending") {
    TransportUnderTest under{patient()};
    Client client = under.connect();
    client.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n");
    client.try_send(std::string(300'000, 'x'));
    const auto answer = client.receive();
    REQUIRE(answer);
    CHECK(answer->status == 413);
}

TEST_CASE("the last request a connection may make says so") {
    http::Limits limits = patient();
    limits.requests_per_connection = 3;
    TransportUnderTest under{limits};
    Client client = under.connect();
    CHECK_FALSE(client.get("/").headers.contains("connection"));
    CHECK_FALSE(client.get("/").headers.contains("connection"));
    CHECK(client.get("/").headers.at("connection") == "close");
    CHECK(client.closed_by_server());
}

TEST_CASE("connections over the limit of the house or of a peer are told why") {
    http::Limits limits = patient();
    SUBCASE("the house") {
        limits.connections = 2;
        TransportUnderTest under{limits};
        Client first = under.connect();
        Client second = under.connect();
        first.get("/");
        second.get("/");
        Client third = under.connect();
        CHECK(third.receive()->status == 503);
        CHECK(third.closed_by_server());
        CHECK(under.server->traffic().refused_connections == 1);
    }
    SUBCASE("the peer") {
        limits.connections_per_peer = 1;
        TransportUnderTest under{limits};
        {
            Client first = under.connect();
            first.get("/");
            Client second = under.connect();
            CHECK(second.receive()->status == 429);
        }
        // A place that was given back can be taken again.
        CHECK(eventually([&] {
            Client again = under.connect();
            again.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            const auto answer = again.receive();
            return answer && answer->status == 200;
        }));
    }
}

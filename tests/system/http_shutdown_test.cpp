#include "tests/system/http_transport.hpp"

#include <doctest/doctest.h>

#include <future>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

TEST_CASE("shutting down finishes requests under way, closes idle connections, accepts no more") {
    // One thread hears of the shutdown once: when it closed the idle one, the busy one knows too.
    TransportUnderTest under{http::ServerOptions{.listen = {}, .threads = 1}};
    Client idle = under.connect();
    idle.get("/");
    Client busy = under.connect();
    busy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    under.application.wait_for_slow(1);

    auto drained = std::async(std::launch::async, [&] { return under.server->shut_down(10s); });
    CHECK_FALSE(idle.receive());
    CHECK_THROWS(under.connect());
    under.application.release();
    const auto answer = busy.receive();
    REQUIRE(answer);
    CHECK(answer->body == "slow");
    CHECK(answer->headers.at("connection") == "close");
    busy.end_sending();
    CHECK(drained.get());
}

TEST_CASE("what is not finished when the grace is over is cut") {
    TransportUnderTest under;
    Client busy = under.connect();
    busy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    under.application.wait_for_slow(1);
    CHECK_FALSE(under.server->shut_down(20ms));
    under.server.reset();
    CHECK_FALSE(busy.receive());
}

TEST_CASE("a half-sent request does not hold a shutdown beyond its grace") {
    TransportUnderTest under;
    Client client = under.connect();
    client.get("/");
    const auto before = under.server->traffic().bytes_received.load();
    client.send("GET / HT");
    CHECK(eventually([&] { return under.server->traffic().bytes_received > before; }));
    CHECK_FALSE(under.server->shut_down(20ms));
    CHECK_FALSE(client.receive());
}

TEST_CASE("shutting down twice is harmless") {
    TransportUnderTest under;
    CHECK(under.server->shut_down(1s));
    CHECK(under.server->shut_down(1s));
}

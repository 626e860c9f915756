#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::ConnectionMode;
using call::Done;
using call::ErrorClass;

namespace {

// Tells what it received.
void mirror(Peer& peer) {
    for (std::string request; !(request = peer.read_request()).empty();)
        if (!peer.send(ok(request))) return;
}

// Says on which connection a request came.
void number(Peer& peer) {
    while (!peer.read_request().empty())
        if (!peer.send(ok(fmt::format("{}", peer.number)))) return;
}

std::vector<call::Call> many(const std::shared_ptr<const call::Target>& target, std::size_t count) {
    std::vector<call::Call> calls;
    for (std::size_t i = 0; i < count; ++i) {
        calls.push_back(http_call(target));
        calls.back().id = i;
    }
    return calls;
}

std::string answer_of(const std::string& bytes, call::ErrorClass expected, const Ask& ask = {}) {
    ScriptedServer server{[&](Peer& peer) {
        if (!peer.read_request().empty()) peer.send(bytes);
    }};
    Caller caller;
    const Done done = caller.make(http_call(target(server.url()), ask));
    CAPTURE(done.failure.detail);
    CHECK(name_of(done.failure.error) == name_of(expected));
    return fmt::format("{} {}", done.status, done.body);
}

} // namespace

TEST_CASE("a call sends its request and brings the answer, with times in order") {
    ScriptedServer server{mirror};
    Caller caller;
    call::Call call = http_call(
        target(server.url()),
        {.method = "POST", .path = "/a?b", .headers = {{"X-Id", "7"}}, .body = "hello"});
    const std::string sent = call.request;
    call.id = 42;
    call.due = TimePoint{5ns};
    const Done done = caller.make(std::move(call));
    REQUIRE(done.ok());
    CHECK(done.call.id == 42);
    CHECK(done.call.due == TimePoint{5ns});
    CHECK(done.status == 200);
    CHECK(done.body == sent);
    CHECK(done.call.request == sent);
    CHECK(done.headers.find("content-length") == fmt::format("{}", sent.size()));
    CHECK(done.sent_bytes == sent.size());
    CHECK(done.received_bytes > done.body_bytes);
    CHECK(done.attempts == 1);
    CHECK_FALSE(done.reused);
    CHECK(done.at.taken <= done.at.begin);
    CHECK(done.at.begin <= done.at.connected);
    CHECK(done.at.connected <= done.at.sent);
    CHECK(done.at.sent <= done.at.first_byte);
    CHECK(done.at.first_byte <= done.at.last_byte);
}

TEST_CASE("a shared pool keeps its connections and never has more than allowed") {
    ScriptedServer server{number};
    Caller caller{{.concurrency = 8, .connections_max = 3}};
    const auto where = target(server.url());
    std::size_t reused = 0;
    for (int round = 0; round < 3; ++round) {
        for (const Done& done : caller.make_all(many(where, 50))) {
            REQUIRE(done.ok());
            if (done.reused) {
                ++reused;
                CHECK(done.at.connected == TimePoint{});
            }
        }
    }
    CHECK(server.connections() <= 3);
    CHECK(reused >= 147);
}

TEST_CASE("at the bound a connection to one target makes room for one to another") {
    ScriptedServer first{number};
    ScriptedServer second{number};
    Caller caller{{.concurrency = 4, .connections_max = 1}};
    for (int i = 0; i < 3; ++i) {
        CHECK_FALSE(caller.make(http_call(target(first.url()))).reused);
        CHECK_FALSE(caller.make(http_call(target(second.url()))).reused);
    }
    CHECK(first.connections() == 3);
}

TEST_CASE("each worker keeps its own connection") {
    ScriptedServer server{number};
    Caller caller{{.concurrency = 4, .mode = ConnectionMode::per_worker}};
    const auto where = target(server.url());
    for (int round = 0; round < 3; ++round)
        for (const Done& done : caller.make_all(many(where, 40))) REQUIRE(done.ok());
    CHECK(server.connections() <= 4);
}

TEST_CASE("without reuse every call has a connection of its own") {
    ScriptedServer server{number};
    Caller caller{{.concurrency = 4, .mode = ConnectionMode::none}};
    for (const Done& done : caller.make_all(many(target(server.url()), 20))) {
        REQUIRE(done.ok());
        CHECK_FALSE(done.reused);
    }
    CHECK(server.connections() == 20);
}

TEST_CASE("a server that closes after each answer gets a new connection for each call") {
    ScriptedServer server{[](Peer& peer) {
        if (!peer.read_request().empty())
            peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        peer.wait_for_end(); // it is the client that closes first
    }};
    Caller caller{{.concurrency = 1}};
    for (const Done& done : caller.make_all(many(target(server.url()), 5))) {
        REQUIRE(done.ok());
        CHECK_FALSE(done.reused);
    }
    CHECK(server.connections() == 5);
}

TEST_CASE("answers of every shape are read") {
    const auto none = ErrorClass::none;
    CHECK(answer_of(ok("body"), none) == "200 body");
    CHECK(answer_of("HTTP/1.1 200 OK\r\n\r\nuntil the end", none) == "200 until the end");
    CHECK(
        answer_of(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
            none) == "200 abc");
    CHECK(answer_of("HTTP/1.1 100 Continue\r\n\r\n" + ok("x"), none) == "200 x");
    CHECK(answer_of("HTTP/1.1 204 No Content\r\n\r\n", none) == "204 ");
    CHECK(
        answer_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", none, {.method = "HEAD"}) ==
        "200 ");
    CHECK(answer_of("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", none) == "503 ");
}

TEST_CASE("answers that lie or break off have the reason in their class") {
    answer_of("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", ErrorClass::closed_early);
    answer_of("HTTP/1.1 200 OK\r\nConte", ErrorClass::closed_early);
    answer_of("", ErrorClass::closed_early);
    answer_of("SSH-2.0-OpenSSH_9.2\r\n", ErrorClass::malformed_response);
    answer_of(
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
        ErrorClass::malformed_response);
    answer_of(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
        ErrorClass::malformed_response);
    answer_of("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", ErrorClass::body_too_large);
}

TEST_CASE("a kept connection that the server closed costs an idempotent call nothing but a retry") {
    for (const auto* method : {"GET", "POST"}) {
        CAPTURE(method);
        Caller caller{{.concurrency = 1}};
        // Closes after the second request has come: no look beforehand can know.
        ScriptedServer fickle{[](Peer& peer) {
            if (peer.read_request().empty() || !peer.send(ok("ok"))) return;
            static_cast<void>(peer.read_request());
        }};
        const auto there = target(fickle.url());
        REQUIRE(caller.make(http_call(there)).ok());
        const Done second = caller.make(http_call(there, {.method = method}));
        if (std::string_view{method} == "GET") {
            REQUIRE(second.ok());
            CHECK(second.stale_retries == 1);
            CHECK(second.attempts == 2);
            CHECK_FALSE(second.reused);
            CHECK(second.at.taken < second.at.begin);
        } else {
            CHECK(second.failure.error == ErrorClass::closed_early);
            CHECK(second.stale_retries == 0);
            CHECK(second.attempts == 1);
        }
    }
}

TEST_CASE("a connection that was closed while it rested is noticed before anything is sent") {
    std::atomic<bool> close_now{false};
    ScriptedServer server{[&](Peer& peer) {
        if (peer.read_request().empty() || !peer.send(ok("ok"))) return;
        if (peer.number == 0)
            while (!close_now) std::this_thread::sleep_for(1ms);
        else
            mirror(peer);
    }};
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url());
    REQUIRE(caller.make(http_call(where)).ok());
    std::this_thread::sleep_for(50ms); // longer than a connection is trusted
    close_now = true;
    std::this_thread::sleep_for(50ms);
    const Done second = caller.make(http_call(where, {.method = "POST"}));
    CHECK(second.ok());
    CHECK(second.attempts == 1);
    CHECK_FALSE(second.reused);
}

TEST_CASE("an answer that nobody asked for is not given to the next call") {
    ScriptedServer server{[](Peer& peer) {
        while (!peer.read_request().empty())
            if (!peer.send(ok("real") + ok("forged"))) return;
    }};
    Caller caller{{.concurrency = 1}};
    for (const Done& done : caller.make_all(many(target(server.url()), 5))) {
        REQUIRE(done.ok());
        CHECK(done.body == "real");
    }
    CHECK(server.connections() == 5);
}

TEST_CASE("a long body is sent whole, and a long answer is counted whole") {
    const std::string large(5'000'000, 'x');
    ScriptedServer server{mirror};
    Caller caller{{.concurrency = 1, .kept_body_bytes = 1000}};
    const auto where = target(server.url());
    const Done done = caller.make(http_call(where, {.method = "PUT", .body = large}));
    REQUIRE(done.ok());
    const Done next = caller.make(http_call(where)); // on a connection that has seen much
    CHECK(next.reused);
    CHECK(next.body == next.call.request);
    CHECK(done.sent_bytes == done.call.request.size());
    CHECK(done.body_bytes == done.call.request.size());
    CHECK(done.body == done.call.request.substr(0, 1000));
}

TEST_CASE("a server that refuses a long body early is heard") {
    ScriptedServer server{[](Peer& peer) {
        static_cast<void>(peer.read(10));
        peer.send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        peer.wait_for_end();
    }};
    Caller caller;
    const Done done = caller.make(
        http_call(target(server.url()), {.method = "POST", .body = std::string(8'000'000, 'x')}));
    CAPTURE(done.failure.detail);
    CHECK(done.status == 413);
}

TEST_CASE("redirects are answers, unless they are to be followed") {
    ScriptedServer other{mirror};
    ScriptedServer server{[&](Peer& peer) {
        for (std::string request; !(request = peer.read_request()).empty();) {
            const std::string to = request.starts_with("POST /far")   ? other.url() + "/there"
                                   : request.starts_with("GET /loop") ? "/loop"
                                   : request.starts_with("GET /bad")  ? "ftp://x/"
                                                                      : "";
            const std::string answer =
                to.empty()
                    ? ok(request)
                    : fmt::format(
                          "HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", to);
            if (!peer.send(answer)) return;
        }
    }};
    const auto where = target(server.url());
    CHECK(Caller{}.make(http_call(where, {.path = "/loop"})).status == 302);
    Caller following{{.redirects_max = 3}};
    const Done far = following.make(http_call(
        where,
        {.method = "POST", .path = "/far", .headers = {{"Authorization", "x"}}, .body = "b"}));
    REQUIRE(far.ok());
    CHECK(far.redirects == 1);
    CHECK(far.body.starts_with("GET /there HTTP/1.1\r\n"));
    CHECK(far.body.find("Authorization") == std::string::npos);
    CHECK(
        following.make(http_call(where, {.path = "/loop"})).failure.error ==
        ErrorClass::too_many_redirects);
    CHECK(
        following.make(http_call(where, {.path = "/bad"})).failure.error ==
        ErrorClass::bad_redirect);
}

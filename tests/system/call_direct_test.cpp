// Calls on plain connections that are kept: the ones that go without a coroutine.
#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <semaphore>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::Done;
using call::ErrorClass;

namespace {

constexpr auto patience = 30s;

// The first request of a connection gets its answer at once, the others what the script says.
ScriptedServer::Script after_the_first(ScriptedServer::Script then) {
    return [then = std::move(then)](Peer& peer) {
        if (peer.read_request().empty() || !peer.send(ok("first"))) return;
        while (!peer.read_request().empty()) then(peer);
    };
}

// The call after the one that made the connection.
using Where = std::shared_ptr<const call::Target>;
Done second_call(Caller& caller, const Where& where, const Ask& ask = {}) {
    REQUIRE(caller.make(http_call(where)).ok());
    return caller.make(http_call(where, ask));
}

// What a server does with the request of that number, the same on both sides of the connection.
struct Deed {
    std::string body;
    std::string answer;
    bool resets = false; // instead of an answer
    bool closes = false; // after it
    std::size_t pieces = 1;
};

std::string chunked(std::string_view body, std::size_t step) {
    std::string out;
    for (std::size_t at = 0; at < body.size(); at += step) {
        const std::string_view chunk = body.substr(at, step);
        out += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
    }
    return out += "0\r\n\r\n";
}

Deed deed_of(std::uint64_t number) {
    std::mt19937_64 random{number};
    const auto one_in = [&](std::uint64_t count) { return random() % count == 0; };
    Deed deed;
    deed.resets = one_in(100);
    deed.closes = one_in(25);
    deed.pieces = one_in(2) ? 1 : 2 + random() % 6;
    const std::size_t size = one_in(50) ? random() % 150'000 : random() % (one_in(5) ? 9000 : 200);
    deed.body.assign(size, static_cast<char>('a' + number % 26));
    const std::string_view says = deed.closes && one_in(2) ? "Connection: close\r\n" : "";
    if (one_in(4))
        deed.answer = fmt::format(
            "HTTP/1.1 200 OK\r\n{}Transfer-Encoding: chunked\r\n\r\n{}", says,
            chunked(deed.body, 1 + random() % 5000));
    else
        deed.answer =
            fmt::format("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{}", says, size, deed.body);
    return deed;
}

std::uint64_t number_in(std::string_view request) {
    return std::strtoull(
        std::string{request.substr(request.find('/') + 1, 20)}.c_str(), nullptr, 10);
}

bool send_in_pieces(Peer& peer, const Deed& deed, std::mt19937_64& random) {
    std::string_view left = deed.answer;
    for (std::size_t i = 1; i < deed.pieces && !left.empty(); ++i) {
        const std::size_t size = random() % left.size();
        if (!peer.send(left.substr(0, size))) return false;
        left.remove_prefix(size);
        // Long enough for some pieces to be seen alone, on a machine that is not busy.
        if (random() % 4 == 0) std::this_thread::sleep_for(100us);
    }
    return peer.send(left);
}

void act(Peer& peer) {
    for (;;) {
        const std::string request = peer.read_request();
        if (request.empty()) return;
        const std::uint64_t number = number_in(request);
        const Deed deed = deed_of(number);
        std::mt19937_64 random{~number};
        if (deed.resets) {
            peer.reset();
            return;
        }
        if (!send_in_pieces(peer, deed, random) || deed.closes) return;
    }
}

void check_done(const Done& done) {
    CAPTURE(done.call.id);
    CAPTURE(done.failure.detail);
    const Deed deed = deed_of(done.call.id);
    CHECK(done.attempts == 1 + done.stale_retries);
    if (deed.resets) {
        CHECK(name_of(done.failure.error) == name_of(ErrorClass::reset));
        CHECK(done.received_bytes == 0);
        return;
    }
    REQUIRE(done.ok());
    CHECK(done.status == 200);
    CHECK(done.body == deed.body);
    CHECK(done.body_bytes == deed.body.size());
    CHECK(done.received_bytes == deed.answer.size());
    if (done.attempts == 1) CHECK(done.sent_bytes == done.call.request.size());
    CHECK(done.at.taken <= done.at.begin);
    CHECK(done.at.begin <= done.at.sent);
    CHECK(done.at.sent <= done.at.first_byte);
    CHECK(done.at.first_byte <= done.at.last_byte);
}

} // namespace

TEST_CASE("an answer that comes byte by byte on a kept connection is put together") {
    ScriptedServer server{after_the_first([](Peer& peer) {
        for (const char byte : ok("slowly")) {
            peer.send({&byte, 1});
            std::this_thread::sleep_for(1ms);
        }
    })};
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url());
    const Done done = second_call(caller, where);
    REQUIRE(done.ok());
    CHECK(done.reused);
    CHECK(done.body == "slowly");
    CHECK(done.received_bytes == ok("slowly").size());
    CHECK(done.at.first_byte < done.at.last_byte);
    CHECK(caller.make(http_call(where)).reused);
    CHECK(server.connections() == 1);
}

TEST_CASE("a body without a length ends with the connection, however the two come") {
    for (const auto pause : {0ms, 20ms}) {
        CAPTURE(pause.count());
        ScriptedServer server{after_the_first([&](Peer& peer) {
            peer.send("HTTP/1.1 200 OK\r\n\r\nall there is");
            std::this_thread::sleep_for(pause);
            peer.close();
        })};
        Caller caller{{.concurrency = 1}};
        const Done done = second_call(caller, target(server.url()));
        REQUIRE(done.ok());
        CHECK(done.reused);
        CHECK(done.body == "all there is");
    }
}

TEST_CASE("on a kept connection, too, no answer and half an answer run into their timeouts") {
    Caller caller{{.concurrency = 1, .timeouts = {.first_byte = 1s, .total = 3s}}};
    ScriptedServer silent{after_the_first([](Peer& peer) { peer.wait_for_end(); })};
    const Done unanswered = second_call(caller, target(silent.url()));
    CHECK(unanswered.failure.error == ErrorClass::first_byte_timeout);
    CHECK(unanswered.reused);
    CHECK(unanswered.attempts == 1);
    CHECK(unanswered.at.last_byte - unanswered.at.sent >= 1s);
    ScriptedServer stalled{after_the_first([](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        peer.wait_for_end();
    })};
    const Done half = second_call(caller, target(stalled.url()));
    CHECK(half.failure.error == ErrorClass::total_timeout);
    CHECK(half.reused);
    CHECK(half.status == 200);
    CHECK(half.body == "half");
    CHECK(half.at.last_byte - half.at.taken >= 3s);
    // The connections went with their calls, and the worker makes others.
    const auto next = second_call(caller, target(silent.url()));
    CHECK(next.failure.error == ErrorClass::first_byte_timeout);
    CHECK(next.reused);
}

TEST_CASE("a request that the server does not take runs into the total timeout") {
    std::binary_semaphore over{0};
    ScriptedServer server{[&](Peer& peer) {
        if (peer.read_request().empty() || !peer.send(ok("first"))) return;
        CHECK(over.try_acquire_for(patience));
    }};
    Caller caller{{.concurrency = 1, .timeouts = {.total = 2s}}};
    Ask ask{.method = "POST"};
    ask.body.resize(64'000'000, 'x'); // more than any socket takes
    const Done done = second_call(caller, target(server.url()), ask);
    over.release();
    CHECK(done.failure.error == ErrorClass::total_timeout);
    CHECK(done.reused);
    CHECK(done.sent_bytes > 0);
    CHECK(done.sent_bytes < done.call.request.size());
    CHECK(done.at.sent == TimePoint{});
}

TEST_CASE("a call under way on a kept connection is cancelled when a drain's time is over") {
    std::counting_semaphore<> held{0};
    ScriptedServer server{after_the_first([&](Peer& peer) {
        held.release();
        peer.wait_for_end();
    })};
    Caller caller{{.concurrency = 2}};
    const auto where = target(server.url());
    for (const Done& done : caller.make_all({http_call(where), http_call(where)}))
        REQUIRE(done.ok());
    caller.submit({http_call(where), http_call(where), http_call(where)});
    REQUIRE(held.try_acquire_for(patience));
    caller.lane().drain(50ms);
    const auto done = caller.wait_for(3);
    CHECK(std::ranges::any_of(done, [](const Done& each) { return each.reused; }));
    for (const Done& each : done) CHECK(each.failure.error == ErrorClass::cancelled);
}

TEST_CASE("a server that closes after its answer without a word is noticed at once") {
    std::counting_semaphore<> closed{0};
    ScriptedServer fickle{[&](Peer& peer) {
        if (peer.read_request().empty() || !peer.send(ok("ok"))) return;
        peer.close();
        closed.release();
        peer.wait_for_end();
    }};
    ScriptedServer steady{always(ok("ok"))};
    Caller caller{{.concurrency = 1}};
    const auto there = target(fickle.url());
    for (int i = 0; i < 20; ++i) {
        // Not idempotent: sent into a closed connection, it would be lost.
        const Done done = caller.make(http_call(there, {.method = "POST"}));
        CAPTURE(done.failure.detail);
        REQUIRE(done.ok());
        CHECK_FALSE(done.reused);
        REQUIRE(closed.try_acquire_for(patience));
        // What happened before this answer came has been told before it.
        REQUIRE(caller.make(http_call(target(steady.url()))).ok());
    }
    CHECK(fickle.connections() == 20);
}

TEST_CASE("thousands of calls survive answers cut anywhere, and connections closed or reset") {
    ScriptedServer server{act};
    const auto where = target(server.url());
    for (const auto mode : {call::ConnectionMode::shared, call::ConnectionMode::per_worker}) {
        Caller caller{{.concurrency = 8, .mode = mode, .kept_body_bytes = 1'000'000}};
        std::vector<call::Call> calls;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            calls.push_back(http_call(where, {.path = fmt::format("/{}", i)}));
            calls.back().id = i;
        }
        auto done = caller.make_all(std::move(calls));
        std::ranges::sort(done, {}, [](const Done& each) { return each.call.id; });
        REQUIRE(done.size() == 3000);
        for (std::uint64_t i = 0; i < done.size(); ++i) REQUIRE(done[i].call.id == i);
        for (const Done& each : done) check_done(each);
        CHECK(std::ranges::count_if(done, &Done::reused) > 2500);
    }
}

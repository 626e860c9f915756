#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"
#include "tests/system/web_certificates.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using namespace std::string_literals;
using call::Behaviour;
using call::Done;
using call::ErrorClass;
using call::Framing;
using call::TcpRules;

namespace {

void echo(Peer& peer) {
    for (std::string byte; !(byte = peer.read(1)).empty();)
        if (!peer.send(byte)) return;
}

const TcpRules by_line{.frame = {.framing = Framing::delimiter, .delimiter = "\r\n"}};

std::string class_after(const ScriptedServer::Script& script, const TcpRules& rules) {
    ScriptedServer server{script};
    Caller caller{{.timeouts = {.first_byte = 200ms, .total = 2s}}};
    const Done done = caller.make(tcp_call(target(server.url("tcp")), rules, "hello"));
    CAPTURE(done.failure.detail);
    return std::string{name_of(done.failure.error)};
}

} // namespace

TEST_CASE("a message in every framing comes back without its frame") {
    ScriptedServer server{echo};
    const auto where = target(server.url("tcp"));
    for (const call::FrameRules& frame : std::vector<call::FrameRules>{
             {.framing = Framing::delimiter, .delimiter = "END"},
             {.framing = Framing::stx_etx},
             {.framing = Framing::length_16},
             {.framing = Framing::length_32},
             {.framing = Framing::fixed_length, .length = 5}}) {
        CAPTURE(static_cast<int>(frame.framing));
        Caller caller{{.concurrency = 1}};
        for (int i = 0; i < 3; ++i) {
            const Done done = caller.make(tcp_call(where, {.frame = frame}, "hello"));
            REQUIRE(done.ok());
            CHECK(done.body == "hello");
            CHECK(done.body_bytes == 5);
            CHECK(done.reused == (i > 0));
            CHECK(done.at.first_byte >= done.at.sent);
        }
    }
}

TEST_CASE("an echo is as long as what was sent") {
    ScriptedServer server{echo};
    Caller caller;
    const auto where = target(server.url("tcp"));
    const TcpRules rules{.behaviour = Behaviour::echo};
    CHECK(caller.make(tcp_call(where, rules, "\0any bytes\xff"s)).body == "\0any bytes\xff"s);
    const Done too_long = caller.make(tcp_call(where, rules, std::string(9000, 'x')));
    CHECK(too_long.failure.error == ErrorClass::body_too_large);
}

TEST_CASE("without a frame the answer ends with the connection") {
    ScriptedServer server{[](Peer& peer) { peer.send("answer to " + peer.read(5)); }};
    Caller caller;
    const Done done = caller.make(tcp_call(target(server.url("tcp")), {}, "hello"));
    REQUIRE(done.ok());
    CHECK(done.body == "answer to hello");
}

TEST_CASE("bytes behind a message are the beginning of the next") {
    ScriptedServer server{[](Peer& peer) {
        static_cast<void>(peer.read(7));
        peer.send("one\r\ntwo\r\nthr");
        static_cast<void>(peer.read(7));
        static_cast<void>(peer.read(7));
        peer.send("ee\r\n");
        peer.wait_for_end();
    }};
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url("tcp"));
    for (const auto* expected : {"one", "two", "three"})
        CHECK(caller.make(tcp_call(where, by_line, "hello")).body == expected);
}

TEST_CASE("what awaits no answer is done when it is sent, and answers do not pile up") {
    std::atomic<std::size_t> received{0};
    ScriptedServer server{[&](Peer& peer) {
        while (!peer.read(1000).empty()) {
            received += 1000;
            if (!peer.send(std::string(1000, 'y'))) return;
        }
    }};
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url("tcp"));
    const TcpRules rules{.behaviour = Behaviour::fire_and_forget};
    constexpr std::size_t count = 20'000; // more than the buffers of both sides hold
    for (std::size_t i = 0; i < count / 1000; ++i) {
        std::vector<call::Call> calls;
        for (int j = 0; j < 1000; ++j)
            calls.push_back(tcp_call(where, rules, std::string(1000, 'x')));
        for (const Done& done : caller.make_all(std::move(calls))) {
            REQUIRE(done.ok());
            CHECK(done.at.first_byte == TimePoint{});
        }
    }
    for (int i = 0; i < 20'000 && received < count * 1000; ++i) std::this_thread::sleep_for(1ms);
    CHECK(received == count * 1000);
    CHECK(server.connections() == 1);
}

TEST_CASE("what awaits no answer is not sent to a peer that has left") {
    std::atomic<int> received{0};
    ScriptedServer server{[&](Peer& peer) {
        if (peer.read(5) == "hello") ++received;
    }};
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url("tcp"));
    const TcpRules rules{.behaviour = Behaviour::fire_and_forget};
    for (int i = 1; i <= 5; ++i) {
        REQUIRE(caller.make(tcp_call(where, rules, "hello")).ok());
        for (int j = 0; j < 20'000 && received < i; ++j) std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(10ms); // its end travels; a connection is trusted for longer
        CHECK(received == i);
    }
    CHECK(server.connections() == 5);
}

TEST_CASE("a stream ends with silence, with the connection, or with enough") {
    ScriptedServer server{[](Peer& peer) {
        const std::string how = peer.read(5);
        for (int i = 0; i < 3; ++i) {
            peer.send("part.");
            std::this_thread::sleep_for(5ms);
        }
        if (how == "close") return;
        if (how == "flood")
            while (peer.send("more.")) {
            }
        peer.wait_for_end();
    }};
    Caller caller;
    const auto where = target(server.url("tcp"));
    const TcpRules rules{
        .behaviour = Behaviour::streaming, .frame = {.bytes_max = 1000}, .idle = 300ms};
    for (const auto* how : {"still", "close"}) {
        const Done done = caller.make(tcp_call(where, rules, how));
        CAPTURE(done.failure.detail);
        REQUIRE(done.ok());
        CHECK(done.body == "part.part.part.");
    }
    const Done flood = caller.make(tcp_call(where, rules, "flood"));
    REQUIRE(flood.ok());
    CHECK(flood.body.size() == 1000);
}

TEST_CASE("what is wrong with an answer is in its class") {
    const auto read_then = [](const std::string& answer) {
        return [answer](Peer& peer) {
            static_cast<void>(peer.read(5));
            peer.send(answer);
            std::this_thread::sleep_for(50ms);
        };
    };
    const TcpRules long_prefix{.frame = {.framing = Framing::length_32}};
    const TcpRules stx{.frame = {.framing = Framing::stx_etx}};
    CHECK(class_after(read_then("half"), by_line) == "closed-early");
    CHECK(class_after(read_then(""), by_line) == "closed-early");
    CHECK(class_after(read_then(""), {}) == "closed-early");
    CHECK(class_after(read_then("\x7f\xff\xff\xff"), long_prefix) == "body-too-large");
    CHECK(class_after(read_then(std::string(9000, 'x')), by_line) == "body-too-large");
    CHECK(class_after(read_then("no stx"), stx) == "malformed-response");
    CHECK(class_after([](Peer& peer) { peer.wait_for_end(); }, by_line) == "first-byte-timeout");
    CHECK(
        class_after(
            [](Peer& peer) {
                while (peer.send("x")) std::this_thread::sleep_for(10ms);
            },
            by_line) == "total-timeout");
    CHECK(
        class_after(
            [](Peer& peer) {
                static_cast<void>(peer.read(5));
                peer.reset();
            },
            by_line) == "reset");
}

TEST_CASE("a retry is counted, has its own begin, and is not made unless asked for") {
    std::atomic<int> accepted{0};
    ScriptedServer server{[&](Peer& peer) {
        if (++accepted % 3 != 0) {
            static_cast<void>(peer.read(7));
            std::this_thread::sleep_for(20ms);
            return;
        }
        peer.send(peer.read(7));
    }};
    const auto where = target(server.url("tcp"));
    Caller retrying{{.concurrency = 1, .tcp_retries = 2}};
    const Done third = retrying.make(tcp_call(where, by_line, "hello"));
    REQUIRE(third.ok());
    CHECK(third.attempts == 3);
    CHECK(third.at.begin - third.at.taken >= 40ms);
    CHECK(third.sent_bytes == 21);
    Caller once{{.concurrency = 1}};
    const Done first = once.make(tcp_call(where, by_line, "hello"));
    CHECK(first.failure.error == ErrorClass::closed_early);
    CHECK(first.attempts == 1);
}

TEST_CASE("frames pass over TLS as well") {
    const WebCertificate certificate{{}};
    ScriptedServer server{
        [](Peer& peer) {
            if (peer.shake_hands()) echo(peer);
        },
        server_tls(certificate.file(), certificate.key_file())};
    auto tls = call::TlsClient::load({.ca_file = certificate.file(), .offer_http = false});
    REQUIRE(tls);
    Caller caller{{.concurrency = 1}};
    const auto where = target(server.url("tcps", "localhost"), *tls);
    for (int i = 0; i < 3; ++i) {
        const Done done = caller.make(tcp_call(where, by_line, "hello"));
        CAPTURE(done.failure.detail);
        REQUIRE(done.ok());
        CHECK(done.body == "hello");
        CHECK(done.reused == (i > 0));
    }
}

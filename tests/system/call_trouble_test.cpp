#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::Done;
using call::ErrorClass;

namespace {

// A socket of 127.0.0.1 that never accepts. Full: its queue has no place left, so that connecting
// to it gets no answer at all.
class DeafListener {
public:
    explicit DeafListener(bool full) : fd_{::socket(AF_INET, SOCK_STREAM, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(fd_, full ? 0 : 64) == 0);
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        for (int i = 0; full && i < 4; ++i) {
            fillers_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
            ::connect(fillers_.back(), reinterpret_cast<sockaddr*>(&address), size);
        }
    }
    ~DeafListener() {
        for (const int each : fillers_) ::close(each);
        ::close(fd_);
    }
    std::string url(std::string_view scheme = "http") const {
        return fmt::format("{}://127.0.0.1:{}", scheme, port_);
    }

private:
    int fd_;
    int port_ = 0;
    std::vector<int> fillers_;
};

// What becomes of a GET there; the class in words, so that a failure is readable.
std::string class_of(const std::string& url, const call::Options& options = {}) {
    Caller caller{options};
    const Done done = caller.make(http_call(target(url)));
    CAPTURE(done.failure.detail);
    CHECK(done.failure.detail.empty() == done.ok());
    CHECK(done.at.last_byte >= done.at.begin);
    return std::string{name_of(done.failure.error)};
}

call::Options with(const call::Timeouts& timeouts) {
    return {.timeouts = timeouts};
}

} // namespace

TEST_CASE("nobody there: refused, unreachable, unknown, silent") {
    std::string nobody;
    {
        const ScriptedServer gone{[](Peer&) {}};
        nobody = gone.url();
    }
    CHECK(class_of(nobody) == "refused");
    CHECK(class_of("http://255.255.255.255:9") == "unreachable");
    CHECK(class_of("http://no-such-host.invalid", with({.connect = 60s})) == "dns");
    const DeafListener full{true};
    CHECK(class_of(full.url(), with({.connect = 100ms})) == "connect-timeout");
    CHECK(class_of(full.url(), with({.total = 100ms})) == "total-timeout");
}

TEST_CASE("a server that accepts and says nothing runs into the first byte's timeout") {
    const DeafListener deaf{false};
    CHECK(class_of(deaf.url(), with({.first_byte = 100ms})) == "first-byte-timeout");
    CHECK(class_of(deaf.url(), with({.total = 100ms})) == "total-timeout");
}

TEST_CASE("a timeout ends a call in its time, and its connection with it") {
    ScriptedServer server{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.wait_for_end();
    }};
    Caller caller{{.concurrency = 1, .timeouts = {.first_byte = 100ms}}};
    const auto where = target(server.url());
    for (int i = 0; i < 3; ++i) {
        const Done done = caller.make(http_call(where));
        CHECK(done.failure.error == ErrorClass::first_byte_timeout);
        CHECK(done.at.last_byte - done.at.sent >= 100ms);
        CHECK_FALSE(done.reused);
        CHECK(done.attempts == 1);
    }
    CHECK(server.connections() == 3);
}

TEST_CASE("no call escapes the sweep, whenever it begins") {
    ScriptedServer silent{[](Peer& peer) { peer.wait_for_end(); }};
    Caller caller{{.concurrency = 1, .timeouts = {.first_byte = 1ms}}};
    const auto where = target(silent.url());
    for (int i = 0; i < 200; ++i) {
        // The sweep turns every 5 ms and ends when there is nothing to do: meet it everywhere.
        std::this_thread::sleep_for(std::chrono::microseconds{4500 + 5 * i});
        CHECK(caller.make(http_call(where)).failure.error == ErrorClass::first_byte_timeout);
    }
}

TEST_CASE("a body that drips is cut off by the total timeout, not kept alive by its bytes") {
    ScriptedServer server{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        while (peer.send("x")) std::this_thread::sleep_for(10ms);
    }};
    Caller caller{with({.first_byte = 10s, .total = 300ms})};
    const Done done = caller.make(http_call(target(server.url())));
    CHECK(done.failure.error == ErrorClass::total_timeout);
    CHECK(done.status == 200);
    CHECK(done.body_bytes > 0);
    CHECK(done.at.last_byte - done.at.taken >= 300ms);
}

TEST_CASE("endless headers and endless bodies end at their limits") {
    ScriptedServer endless_head{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.send("HTTP/1.1 200 OK\r\n");
        while (peer.send("X-Filler: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n")) {
        }
    }};
    CHECK(class_of(endless_head.url()) == "headers-too-large");
    ScriptedServer endless_body{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (peer.send("10\r\n0123456789abcdef\r\n")) {
        }
    }};
    CHECK(class_of(endless_body.url(), {.body_bytes_max = 1'000'000}) == "body-too-large");
}

TEST_CASE("a connection that the peer breaks off is a reset") {
    ScriptedServer before{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.reset();
    }};
    CHECK(class_of(before.url()) == "reset");
    ScriptedServer within{[](Peer& peer) {
        static_cast<void>(peer.read_request());
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        std::this_thread::sleep_for(50ms);
        peer.reset();
    }};
    CHECK(class_of(within.url()) == "reset");
}

TEST_CASE("without descriptors a call fails, says so, and the next one works again") {
    ScriptedServer server{always(ok("ok"))};
    Caller caller;
    const auto where = target(server.url());
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    const Done starved = caller.make(http_call(where));
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(starved.failure.error == ErrorClass::local_resources);
    const Done fed = caller.make(http_call(where));
    CAPTURE(fed.failure.detail);
    CHECK(fed.ok());
}

TEST_CASE("a call that cannot be made comes back as well") {
    Caller caller;
    const auto error_of = [&](call::Call call) {
        return caller.make(std::move(call)).failure.error;
    };
    const auto http = target("http://127.0.0.1:1");
    const auto tcp = target("tcp://127.0.0.1:1");
    CHECK(error_of({}) == ErrorClass::invalid_call);
    CHECK(error_of({.target = http}) == ErrorClass::invalid_call);
    CHECK(error_of({.target = tcp, .request = "x"}) == ErrorClass::invalid_call);
    CHECK(error_of(tcp_call(http, {}, "x")) == ErrorClass::invalid_call);
}

TEST_CASE("a name is tried at each of its addresses, and remembered") {
    ScriptedServer server{always(ok("ok"))}; // listens on 127.0.0.1 only
    Caller caller{{.mode = call::ConnectionMode::none}};
    const auto where = target(server.url("http", "localhost"));
    for (int i = 0; i < 3; ++i) CHECK(caller.make(http_call(where)).ok());
}

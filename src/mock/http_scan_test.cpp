#include "mock/http_scan.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive::mock;

namespace {

using State = Scanned::State;

constexpr std::string_view post = "POST /orders?id=1 HTTP/1.1\r\nHost: x\r\nContent-Length: "
                                  "5\r\nExpect: 100-continue\r\n\r\nhello";

} // namespace

TEST_CASE("a request is whole with its last byte and not before") {
    const std::size_t head = post.size() - 5;
    for (std::size_t length = 0; length < head; ++length)
        REQUIRE(scan_request(post.substr(0, length)).state == State::more);
    const Scanned scanned = scan_request(post);
    REQUIRE(scanned.state == State::whole);
    CHECK(scanned.head.method == "POST");
    CHECK(scanned.head.target == "/orders?id=1");
    CHECK(scanned.head.size == head);
    CHECK(scanned.head.body == 5);
    CHECK(scanned.head.keep_alive);
    CHECK(scanned.head.expects_continue);
}

TEST_CASE("whether the connection stays is a matter of version and header") {
    const auto keeps = [](const char* text) { return scan_request(text).head.keep_alive; };
    CHECK(keeps("GET / HTTP/1.1\r\n\r\n"));
    CHECK_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
    CHECK_FALSE(keeps("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n"));
    CHECK(keeps("GET / HTTP/1.0\r\nconnection:keep-alive\r\n\r\n"));
}

TEST_CASE("what is no request is refused with the status that says why") {
    const struct {
        std::string text;
        int status;
    } rows[] = {
        {"\r\n\r\n", 400},
        {"GET\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET  HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\n\r\n", 505},
        {"GET / FTP/1.1\r\n\r\n", 400},
        {"G\x01T / HTTP/1.1\r\n\r\n", 400},
        {"\x16\x03\x01 TLS", 400},
        {"GET /\x01 HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\nb\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nContent-Length: \r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
        {"GET /" + std::string(head_max, 'a'), 431},
        {"GET / HTTP/1.1\r\n" +
             [] {
                 std::string many;
                 for (int i = 0; i < 101; ++i) many += "a: b\r\n";
                 return many;
             }() +
             "\r\n",
         431},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text.substr(0, 60));
        const Scanned scanned = scan_request(row.text);
        REQUIRE(scanned.state == State::bad);
        CHECK(scanned.status == row.status);
        CHECK_FALSE(scanned.reason.empty());
    }
}

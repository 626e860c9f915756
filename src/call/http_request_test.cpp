#include "call/http_request.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace hive::call;
using namespace std::string_literals;

namespace {

std::shared_ptr<const Target> somewhere() {
    auto made = Target::make({.host = "sut", .port = 8080});
    REQUIRE(made);
    return *made;
}

std::string text_of(const RequestParts& parts) {
    std::string out;
    const auto made = append_request(out, *somewhere(), parts);
    return made ? out : "refused: " + made.error().detail;
}

std::string with_header(std::string_view name, std::string_view value) {
    const std::array<RequestField, 1> headers{{{name, value}}};
    return text_of({.method = "POST", .headers = headers, .body = "abc"});
}

} // namespace

TEST_CASE("a request says its host, and its length where there is a body") {
    CHECK(text_of({.path = "/a?b"}) == "GET /a?b HTTP/1.1\r\nHost: sut:8080\r\n\r\n");
    CHECK(
        with_header("X-Id", "7") ==
        "POST / HTTP/1.1\r\nHost: sut:8080\r\nX-Id: 7\r\nContent-Length: 3\r\n\r\nabc");
    CHECK(
        text_of({.method = "POST", .keep_alive = false}) ==
        "POST / HTTP/1.1\r\nHost: sut:8080\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_CASE("what the caller says itself is not said twice") {
    CHECK(
        with_header("host", "other") ==
        "POST / HTTP/1.1\r\nhost: other\r\nContent-Length: 3\r\n\r\nabc");
    CHECK(
        with_header("content-length", "3") ==
        "POST / HTTP/1.1\r\nHost: sut:8080\r\ncontent-length: 3\r\n\r\nabc");
}

TEST_CASE("what would be read as another message is refused") {
    CHECK(with_header("X", "a\r\nY: b").starts_with("refused: the header X has a line break"));
    CHECK(with_header("X Y", "a").starts_with("refused: 'X Y' is no name"));
    CHECK(with_header("", "a").starts_with("refused"));
    CHECK(with_header("Content-Length", "4").starts_with("refused: the Content-Length says 4"));
    CHECK(with_header("Transfer-Encoding", "chunked").starts_with("refused"));
    CHECK(text_of({.method = "GE T"}).starts_with("refused: 'GE T' is no HTTP method"));
    CHECK(text_of({.path = "/a b"}).starts_with("refused: the path '/a b'"));
    CHECK(text_of({.path = "a"}).starts_with("refused"));
    CHECK(with_header("X", "a\0b"s).starts_with("refused"));
}

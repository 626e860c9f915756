#include "api/http/request_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive::http;
using Progress = RequestReader::Progress;

namespace {

constexpr std::string_view get = "GET /a?b=c HTTP/1.1\r\nHost: hive\r\n";

// Feeds `text` in pieces of `step` bytes, as a connection would.
void feed(RequestReader& reader, std::string_view text, std::size_t step) {
    std::string pending;
    for (std::size_t at = 0; at < text.size(); at += step) {
        pending += text.substr(at, step);
        for (;;) {
            const std::size_t used = reader.feed(pending);
            pending.erase(0, used);
            if (used == 0 || pending.empty()) break;
        }
    }
}

struct Read {
    explicit Read(std::string_view text, Limits bounds = {}) : limits{bounds} {
        feed(reader, text, text.size());
    }
    Limits limits;
    RequestReader reader{limits};
};

} // namespace

TEST_CASE("a request is the same whether its bytes come at once or one by one") {
    const std::string text = "POST /a/b?x=1&y HTTP/1.1\r\nHost: hive:80\r\nX-A:  v \r\n"
                             "Content-Length: 5\r\n\r\nhello";
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, text.size()}) {
        const Limits limits;
        RequestReader reader{limits};
        feed(reader, text, step);
        REQUIRE(reader.progress() == Progress::whole);
        const Request& request = reader.request();
        CHECK(request.method == Method::post);
        CHECK(request.path == "/a/b");
        CHECK(request.query == "x=1&y");
        CHECK(request.header("x-a") == "v");
        CHECK(request.body == "hello");
        CHECK(request.keep_alive);
    }
}

TEST_CASE("a chunked body arrives without its framing, extensions and trailers") {
    const std::string text = std::string{get} +
                             "Transfer-Encoding: chunked\r\n\r\n"
                             "5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n";
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, text.size()}) {
        const Limits limits;
        RequestReader reader{limits};
        feed(reader, text, step);
        REQUIRE(reader.progress() == Progress::whole);
        CHECK(reader.request().body == "hello world");
        CHECK_FALSE(reader.request().header("X-T"));
    }
}

TEST_CASE("a line before a chunk, or trailers, over the bound are too long however they come") {
    const std::string head = std::string{get} + "Transfer-Encoding: chunked\r\n\r\n";
    const auto answers = [&](const std::string& body) {
        std::vector<Progress> all;
        for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{10'000}}) {
            const Limits limits{.head_bytes = 256};
            RequestReader reader{limits};
            feed(reader, head + body, step);
            all.push_back(reader.progress());
        }
        return all;
    };
    const std::vector<Progress> whole(3, Progress::whole);
    const std::vector<Progress> refused(3, Progress::refused);
    const auto line = [](std::size_t size) { // of so many bytes
        return "5;" + std::string(size - 4, 'e') + "\r\nhello\r\n0\r\n\r\n";
    };
    CHECK(answers(line(256)) == whole);
    CHECK(answers(line(257)) == refused);
    const auto trailers =
        [](std::size_t size) { // with the end of the chunk before and the last one
            return "5\r\nhello\r\n0\r\nT: " + std::string(size - 12, 't') + "\r\n\r\n";
        };
    CHECK(answers(trailers(256)) == whole);
    CHECK(answers(trailers(257)) == refused);
}

TEST_CASE("requests behind each other are read one after the other") {
    const std::string two = std::string{get} + "\r\n" + "GET /second HTTP/1.1\r\nHost: h\r\n\r\n";
    const Limits limits;
    RequestReader reader{limits};
    const std::size_t first = reader.feed(two);
    REQUIRE(reader.progress() == Progress::whole);
    CHECK(first < two.size());
    CHECK(reader.request().path == "/a");
    reader.next();
    CHECK(first + reader.feed(std::string_view{two}.substr(first)) == two.size());
    CHECK(reader.request().path == "/second");
}

TEST_CASE("what two servers could read differently is refused") {
    struct Case {
        std::string_view text;
        std::string_view code;
    };
    const std::vector<Case> cases{
        {"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", ""},
        {"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", ""},
        {"Content-Length: 1\r\nContent-Length: 1\r\n\r\n", "ambiguous-length"},
        {"Content-Length: 1, 1\r\n\r\n", ""},
        {"Content-Length: +1\r\n\r\n", ""},
        {"Content-Length: -1\r\n\r\n", ""},
        {"Content-Length: 0x1\r\n\r\n", ""},
        {"Content-Length: 99999999999999999999999\r\n\r\n", ""},
        {"Content-Length: \r\n\r\n", ""},
        {"Transfer-Encoding: gzip, chunked\r\n\r\n", "unknown-encoding"},
        {"Transfer-Encoding: xchunked\r\n\r\n", "unknown-encoding"},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", ""},
        {"Transfer-Encoding : chunked\r\n\r\n", "bad-request"},
        {"X-A: 1\r\n folded\r\n\r\n", "folded-header"},
        {"X-A: 1\r\n\tfolded\r\n\r\n", "folded-header"},
        {"X-A: 1\nX-B: 2\r\n\r\n", "bare-lf"},
        {"X-A: 1\rX-B: 2\r\n\r\n", "bare-cr"},
        {"X-A: 1\r\r\n\r\n", "bare-cr"},
        {"X A: 1\r\n\r\n", "bad-request"},
        {"X(A): 1\r\n\r\n", "bad-request"},
        {": 1\r\n\r\n", "bad-request"},
        {"no colon\r\n\r\n", "bad-request"},
        {"Host: other\r\n\r\n", "repeated-host"},
        {std::string_view{"X-A: a\0b\r\n\r\n", 12}, "control-character"},
        {"X-A: a\x7f\r\n\r\n", "control-character"},
    };
    for (const Case& bad : cases) {
        CAPTURE(bad.text);
        Read read{std::string{get} + std::string{bad.text}};
        REQUIRE(read.reader.progress() == Progress::refused);
        CHECK(read.reader.refusal().status >= 400);
        if (!bad.code.empty()) CHECK(read.reader.refusal().code == bad.code);
    }
}

TEST_CASE("a request line that is not one is refused") {
    for (const std::string_view text :
         {"GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
          "GET /\r\nHost: h\r\n\r\n", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n",
          "GET / FTP/1.1\r\nHost: h\r\n\r\n", "GET a HTTP/1.1\r\nHost: h\r\n\r\n",
          "GET /#x HTTP/1.1\r\nHost: h\r\n\r\n", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
          "GET * HTTP/1.1\r\nHost: h\r\n\r\n", " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
          "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n"}) {
        CAPTURE(text);
        Read read{text};
        REQUIRE(read.reader.progress() == Progress::refused);
        CHECK(read.reader.refusal().status == 400);
    }
    Read newer{"GET / HTTP/2.0\r\nHost: h\r\n\r\n"};
    REQUIRE(newer.reader.progress() == Progress::refused);
    CHECK(newer.reader.refusal().status == 505);
}

TEST_CASE("an absolute target must name the host of the Host header") {
    Read same{"GET http://Hive:80/x?y HTTP/1.1\r\nHost: hive:80\r\n\r\n"};
    REQUIRE(same.reader.progress() == Progress::whole);
    CHECK(same.reader.request().path == "/x");
    CHECK(same.reader.request().query == "y");
    Read bare{"GET http://hive HTTP/1.1\r\nHost: hive\r\n\r\n"};
    CHECK(bare.reader.request().path == "/");
    Read other{"GET http://evil/x HTTP/1.1\r\nHost: hive\r\n\r\n"};
    REQUIRE(other.reader.progress() == Progress::refused);
    CHECK(other.reader.refusal().code == "host-mismatch");
}

TEST_CASE("one empty line before a request is ignored, and HTTP/1.0 needs no Host") {
    Read read{"\r\nGET / HTTP/1.0\r\n\r\n"};
    REQUIRE(read.reader.progress() == Progress::whole);
    CHECK_FALSE(read.reader.request().keep_alive);
    Read chunked{"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"};
    CHECK(chunked.reader.progress() == Progress::refused);
}

TEST_CASE("every bound on a request has its own status") {
    const auto status = [](const std::string& text, Limits limits) {
        Read read{text, limits};
        return read.reader.progress() == Progress::refused ? read.reader.refusal().status : 0U;
    };
    const std::string head{get};
    CHECK(status(head + "X: " + std::string(300, 'x') + "\r\n\r\n", {.head_bytes = 256}) == 431);
    CHECK(status(head + "X: " + std::string(300, 'x'), {.head_bytes = 256}) == 431);
    CHECK(status(head + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n", {.headers = 3}) == 431);
    CHECK(status(head + "A: 1\r\nB: 2\r\n\r\n", {.headers = 3}) == 0);
    CHECK(status("GET /" + std::string(100, 'x'), {.target_bytes = 50}) == 414);
    CHECK(
        status(
            "GET /" + std::string(60, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n",
            {.target_bytes = 50}) == 414);
}

TEST_CASE("a body over its bound is refused before it is read, or as soon as it shows") {
    const Limits limits{.body_bytes = 8};
    RequestReader known{limits};
    known.feed(std::string{get} + "Content-Length: 9\r\n\r\n");
    REQUIRE(known.progress() == Progress::body);
    known.allow_body(8);
    REQUIRE(known.progress() == Progress::refused);
    CHECK(known.refusal().status == 413);

    RequestReader unknown{limits};
    feed(
        unknown,
        std::string{get} + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n", 1);
    REQUIRE(unknown.progress() == Progress::refused);
    CHECK(unknown.refusal().status == 413);
    CHECK(unknown.request().body.size() <= 8);
}

TEST_CASE("malformed chunks are refused") {
    for (const std::string_view chunk :
         {"x\r\nhello\r\n", "5\nhello\r\n", "5\r\nhelloXX0\r\n\r\n", "-1\r\n\r\n",
          "fffffffffffffffff\r\n", " 5\r\nhello\r\n0\r\n\r\n"}) {
        CAPTURE(chunk);
        Read read{std::string{get} + "Transfer-Encoding: chunked\r\n\r\n" + std::string{chunk}};
        CHECK(read.reader.progress() == Progress::refused);
    }
    Read endless{
        std::string{get} + "Transfer-Encoding: chunked\r\n\r\n5;" + std::string(20'000, 'x')};
    CHECK(endless.reader.progress() == Progress::refused);
}

TEST_CASE("a chunked body that is empty may come byte by byte") {
    const Limits limits;
    RequestReader reader{limits};
    const std::string input =
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    std::string pending;
    for (const char c : input) {
        pending += c;
        pending.erase(0, reader.feed(pending));
    }
    CHECK(reader.progress() == Progress::whole);
    CHECK(reader.request().body.empty());
}

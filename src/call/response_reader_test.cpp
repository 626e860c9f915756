#include "call/response_reader.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace hive::call;
using Progress = ResponseReader::Progress;

namespace {

constexpr ResponseReader::Limits roomy{65'536, 1'000'000, 1'000'000};

struct Answer {
    unsigned status = 0;
    std::string body;
    std::uint64_t body_bytes = 0;
    std::string headers;
    bool keep_alive = false;
    ErrorClass error = ErrorClass::none;
    std::string rest; // bytes that were left over

    bool operator==(const Answer&) const = default;
};

struct Asked {
    bool head = false;
    bool then_closed = false;
    ResponseReader::Limits limits = roomy;
};

Answer read(std::string_view bytes, const Asked& asked, std::size_t step) {
    Answer answer;
    Headers headers;
    ResponseReader reader{asked.limits};
    reader.start({&answer.status, &headers, &answer.body, &answer.body_bytes}, asked.head);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const std::string_view piece = bytes.substr(at, step);
        const std::size_t used = reader.feed(piece);
        if (reader.progress() == Progress::whole) answer.rest += piece.substr(used);
    }
    if (asked.then_closed) reader.end_of_stream();
    for (std::size_t i = 0; i < headers.size(); ++i) {
        ((answer.headers += headers[i].name) += '=') += headers[i].value;
        answer.headers += ';';
    }
    if (reader.progress() == Progress::whole) answer.keep_alive = reader.keep_alive();
    answer.error = reader.failure().error;
    CHECK((answer.error == ErrorClass::none) == (reader.progress() != Progress::broken));
    return answer;
}

// However the bytes are cut the answer is the same.
Answer read(std::string_view bytes, const Asked& asked = {}) {
    Answer whole = read(bytes, asked, bytes.size());
    for (std::size_t step = 1; step < bytes.size(); ++step) {
        CAPTURE(step);
        const Answer cut = read(bytes, asked, step);
        CHECK(cut.status == whole.status);
        CHECK(cut.body == whole.body);
        CHECK(cut.error == whole.error);
        if (whole.error == ErrorClass::none) CHECK(cut == whole);
    }
    return whole;
}

ErrorClass error_of(std::string_view bytes, const Asked& asked = {}) {
    return read(bytes, asked).error;
}

} // namespace

TEST_CASE("an answer with a length ends there, and what follows is not part of it") {
    const Answer answer = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhelloHTTP");
    CHECK(answer.status == 200);
    CHECK(answer.body == "hello");
    CHECK(answer.headers == "Content-Length=5;X-A=b;");
    CHECK(answer.keep_alive);
    CHECK(answer.rest == "HTTP");
}

TEST_CASE("chunks are put together and trailers are headers") {
    const Answer answer = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                               "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n");
    CHECK(answer.body == "abcde");
    CHECK(answer.headers == "Transfer-Encoding=chunked;X-Sum=5;");
    CHECK(answer.keep_alive);
    CHECK(answer.error == ErrorClass::none);
}

TEST_CASE("without a length the body ends with the connection") {
    const std::string_view bytes = "HTTP/1.1 200 OK\r\n\r\nall of it";
    const Answer answer = read(bytes, {.then_closed = true});
    CHECK(answer.body == "all of it");
    CHECK_FALSE(answer.keep_alive);
    CHECK(answer.error == ErrorClass::none);
}

TEST_CASE("answers without a body need no length") {
    CHECK(read("HTTP/1.1 204 No Content\r\n\r\n").keep_alive);
    CHECK(read("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n").keep_alive);
    const Answer head = read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", {.head = true});
    CHECK(head.keep_alive);
    CHECK(head.body_bytes == 0);
    CHECK(read("HTTP/1.1 200 OK\r\n\r\n", {.head = true}).error == ErrorClass::none);
}

TEST_CASE("1xx answers are skipped, but for 101 which is the answer") {
    const Answer answer = read("HTTP/1.1 100 Continue\r\nX-Hint: a\r\n\r\nHTTP/1.1 102 P\r\n\r\n"
                               "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok");
    CHECK(answer.status == 201);
    CHECK(answer.headers == "Content-Length=2;");
    CHECK(answer.body == "ok");
    const Answer upgrade =
        read("HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    CHECK(upgrade.status == 101);
    CHECK_FALSE(upgrade.keep_alive);
}

TEST_CASE("whether a connection stays open is said by version and Connection") {
    CHECK_FALSE(
        read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").keep_alive);
    CHECK_FALSE(read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keep_alive);
    CHECK(
        read("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n").keep_alive);
}

TEST_CASE("an answer that lies about its length is refused") {
    const auto malformed = ErrorClass::malformed_response;
    CHECK(
        error_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nx") ==
        malformed);
    CHECK(
        error_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0") ==
        malformed);
    CHECK(error_of("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n") == malformed);
    CHECK(error_of("HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n") == malformed);
    CHECK(error_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") == malformed);
    CHECK(
        error_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", {.then_closed = true}) ==
        ErrorClass::closed_early);
    CHECK(error_of("HTTP/1.1 200 OK\r\nConte", {.then_closed = true}) == ErrorClass::closed_early);
    CHECK(
        error_of(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            {.then_closed = true}) == ErrorClass::closed_early);
}

TEST_CASE("what is not HTTP/1.x is malformed") {
    for (const auto* bytes :
         {"SSH-2.0-OpenSSH\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n", "\x15\x03\x01\x02"}) {
        CAPTURE(bytes);
        CHECK(error_of(bytes) == ErrorClass::malformed_response);
    }
}

TEST_CASE("an endless head or trailer is cut off at the limit") {
    const Asked asked{.limits = {100, 1000, 1000}};
    const std::string endless = "X: " + std::string(100, 'y');
    CHECK(error_of("HTTP/1.1 200 OK\r\n" + endless, asked) == ErrorClass::headers_too_large);
    CHECK(
        error_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + endless, asked) ==
        ErrorClass::headers_too_large);
    std::string interim;
    for (int i = 0; i < 20; ++i) interim += "HTTP/1.1 100 C\r\n\r\n";
    CHECK(error_of(interim, asked) == ErrorClass::headers_too_large);
    // A head of exactly the limit is fine.
    const std::string start = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: ";
    const std::string fits = start + std::string(100 - start.size() - 4, 'y') + "\r\n\r\n";
    CHECK(read(fits + "abc", asked).body == "abc");
}

TEST_CASE("a body that comes together with its head leaves the trailers their room") {
    const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string body(500, 'x');
    const Asked asked{.limits = {100, 1000, 1000}};
    const auto answer = read(head + "1f4\r\n" + body + "\r\n0\r\nX-Sum: 1\r\n\r\n", asked);
    CHECK(answer.error == ErrorClass::none);
    CHECK(answer.body == body);
    CHECK(answer.headers == "Transfer-Encoding=chunked;X-Sum=1;");
}

TEST_CASE("a body is kept up to one limit, counted beyond, and refused at the other") {
    const Asked asked{.limits = {1000, 8, 4}};
    const Answer counted = read("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nabcdefgh", asked);
    CHECK(counted.body == "abcd");
    CHECK(counted.body_bytes == 8);
    CHECK(
        error_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", asked) ==
        ErrorClass::body_too_large);
    CHECK(
        error_of(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n4\r\nfghi\r\n",
            asked) == ErrorClass::body_too_large);
    CHECK(error_of("HTTP/1.1 200 OK\r\n\r\nabcdefghi", asked) == ErrorClass::body_too_large);
}

TEST_CASE("a reader that was used before starts clean") {
    Answer answer;
    Headers headers;
    ResponseReader reader{roomy};
    const ResponseReader::Into into{&answer.status, &headers, &answer.body, &answer.body_bytes};
    reader.start(into, false);
    reader.feed("garbage");
    CHECK(reader.progress() == Progress::broken);
    reader.start(into, false);
    reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
    CHECK(reader.progress() == Progress::whole);
    CHECK(reader.failure().error == ErrorClass::none);
    CHECK(headers.size() == 1);
}

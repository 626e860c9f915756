#include "call/usual_answer.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive::call;

namespace {

bool is_usual(std::string_view bytes) {
    Headers headers;
    return read_usual_answer(bytes, headers).has_value();
}

// A whole answer with this first line or field instead of the usual one.
std::string with_status(std::string_view line) {
    return std::string{line} + "\r\nContent-Length: 2\r\n\r\nok";
}
std::string with_field(std::string_view line) {
    return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + std::string{line} + "\r\n\r\nok";
}

} // namespace

TEST_CASE("a usual answer has its status, its fields and where its body is") {
    const std::string_view bytes = "HTTP/1.1 404 Not Found\r\nServer: small one\r\n"
                                   "content-LENGTH: 5\r\nConnection: Keep-Alive\r\n\r\nhello+more";
    Headers headers;
    const auto answer = read_usual_answer(bytes, headers);
    REQUIRE(answer);
    CHECK(answer->status == 404);
    CHECK(bytes.substr(answer->head_bytes, answer->body_bytes) == "hello");
    REQUIRE(headers.size() == 3);
    CHECK(headers[0].name == "Server");
    CHECK(headers[0].value == "small one");
    CHECK(headers.find("Content-Length") == "5");
    CHECK(headers.find("connection") == "Keep-Alive");
}

TEST_CASE("an empty body and an empty or missing reason are usual") {
    CHECK(is_usual("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    CHECK(is_usual(with_status("HTTP/1.1 200 ")));
    CHECK(is_usual(with_status("HTTP/1.1 200")));
}

TEST_CASE("an answer that has not come whole is not read") {
    const std::string whole = with_field("Server: small");
    REQUIRE(is_usual(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(is_usual(whole.substr(0, size)));
    }
}

TEST_CASE("whatever is not as usual is left to the parser") {
    CHECK_FALSE(is_usual("HTTP/1.1 200 OK\r\n\r\n"));
    for (const char* line :
         {"HTTP/1.0 200 OK", "HTTP/2 200", "http/1.1 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
          "HTTP/1.1  200 OK", "HTTP/1.1 100 Continue", "HTTP/1.1 101 Switching Protocols",
          "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 200 O\tK",
          "HTTP/1.1 200 OK\n"}) {
        CAPTURE(line);
        CHECK_FALSE(is_usual(with_status(line)));
    }
    for (const char* line :
         {"Content-Length: 2",
          "Transfer-Encoding: chunked",
          "Connection: close",
          "Upgrade: h2c",
          "Connection: keep-alive, Upgrade",
          "Proxy-Connection: close",
          "X-No-Space:1",
          "X-Empty:",
          "X-Empty: ",
          "X-Early:  1",
          "X-Late: 1 ",
          "X Name: 1",
          "X(Name): 1",
          ": 1",
          " folded: 1",
          "X-Bell: \a",
          "X-Bare: a\nb",
          "X-Return: a\rb",
          "X-Delete: \x7f",
          "no colon"}) {
        CAPTURE(line);
        CHECK_FALSE(is_usual(with_field(line)));
    }
    for (const char* length : {"", "-1", "+1", "1x", "0x1", "1,1", "1234567890"}) {
        CAPTURE(length);
        CHECK_FALSE(
            is_usual("HTTP/1.1 200 OK\r\nContent-Length: " + std::string{length} + "\r\n\r\nok"));
    }
}

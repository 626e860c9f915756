#include "api/http/response.hpp"

#include <doctest/doctest.h>

using namespace hive::http;

TEST_CASE("a value with a line break cannot add a header") {
    HeaderBlock headers;
    headers.add("X-Note", "a\r\nSet-Cookie: stolen");
    CHECK(headers.lines() == "X-Note: a  Set-Cookie: stolen\r\n");
}

TEST_CASE("headers are found by name whatever the case, and replaced by set") {
    HeaderBlock headers;
    headers.add("ETag", "\"1\"");
    headers.add("Vary", "Origin");
    headers.set("etag", "\"2\"");
    CHECK(headers.find("ETAG") == "\"2\"");
    CHECK(headers.find("vary") == "Origin");
    CHECK_FALSE(headers.find("var"));
    CHECK(headers.lines() == "Vary: Origin\r\netag: \"2\"\r\n");
}

TEST_CASE("the head says how long the body is, unless there can be none") {
    std::string out;
    append_head(
        out, Response{.content_type = "text/plain", .body = std::string{"hello"}}, {.date = "now"});
    CHECK(
        out == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: text/plain\r\n"
               "Content-Length: 5\r\n\r\n");
    for (const unsigned status : {204U, 304U}) {
        out.clear();
        append_head(out, Response{.status = status}, {});
        CHECK(out.find("Content-Length") == out.npos);
    }
    out.clear();
    append_head(out, Response{}, {.keep_alive = false});
    CHECK(out == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

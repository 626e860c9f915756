#include "call/redirect.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::call;

namespace {

const std::string post = "POST /a/b?c HTTP/1.1\r\nHost: sut\r\nAuthorization: Bearer x\r\n"
                         "Content-Type: text/plain\r\nX-Id: 7\r\nContent-Length: 3\r\n\r\nabc";

Redirect follows(std::string_view request, unsigned status, std::string_view location) {
    const auto target = Target::make({.host = "sut"});
    REQUIRE(target);
    auto next = follow(**target, request, status, location);
    REQUIRE(next);
    return std::move(*next);
}

std::string url_after(std::string_view location) {
    const Url url = follows(post, 307, location).url;
    return std::string{name_of(url.scheme)} + "://" + authority_of(url) + url.path;
}

} // namespace

TEST_CASE("a location is read relative to what was asked for") {
    CHECK(url_after("/x") == "http://sut/x");
    CHECK(url_after("x?y") == "http://sut/a/x?y");
    CHECK(url_after("?z") == "http://sut/a/b?z");
    CHECK(url_after("//other:81/x") == "http://other:81/x");
    CHECK(url_after("https://other/x#y") == "https://other/x");
    CHECK(url_after("/to?u=http://h/") == "http://sut/to?u=http://h/");
}

TEST_CASE("a POST becomes a GET without its body where browsers and curl do the same") {
    for (const unsigned status : {301U, 302U, 303U}) {
        CHECK(
            follows(post, status, "/x").request ==
            "GET /x HTTP/1.1\r\nHost: sut\r\nAuthorization: Bearer x\r\nX-Id: 7\r\n\r\n");
    }
    for (const unsigned status : {307U, 308U}) {
        const std::string repeated = follows(post, status, "/x").request;
        CHECK(repeated.starts_with("POST /x HTTP/1.1\r\n"));
        CHECK(repeated.ends_with("Content-Length: 3\r\n\r\nabc"));
    }
    const std::string put = "PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nz";
    CHECK(follows(put, 302, "/x").request.starts_with("PUT /x"));
    CHECK(follows(put, 303, "/x").request.starts_with("GET /x"));
    CHECK(follows("HEAD / HTTP/1.1\r\n\r\n", 303, "/x").request.starts_with("HEAD /x"));
}

TEST_CASE("credentials stay with the origin they were given to") {
    const auto has_secret = [](const Redirect& next) {
        return next.request.find("Authorization") != std::string::npos;
    };
    CHECK(has_secret(follows(post, 307, "http://sut/x")));
    for (const auto* other : {"http://other/", "http://sut:81/", "https://sut/"}) {
        const Redirect next = follows(post, 307, other);
        CHECK_FALSE(next.same_origin);
        CHECK_FALSE(has_secret(next));
        CHECK(
            next.request.find("Host: sut\r\n") == (next.url.host == "sut" && next.url.port != 81
                                                       ? next.request.find("Host")
                                                       : std::string::npos));
    }
}

TEST_CASE("a location that cannot be followed is refused") {
    const auto target = Target::make({.host = "sut"});
    REQUIRE(target);
    for (const auto* location : {"ftp://h/", "tcp://h:1/", "http://u@h/", "/a b", "http://"}) {
        CAPTURE(location);
        CHECK_FALSE(follow(**target, post, 302, location));
    }
}

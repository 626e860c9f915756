#include "call/url.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::call;

TEST_CASE("a URL is taken apart into what a connection and a request need") {
    const auto url = Url::parse("HTTPS://Api.Example.com/a/b?c=d#e");
    REQUIRE(url);
    CHECK(*url == Url{Scheme::https, "api.example.com", 443, "/a/b?c=d"});
    CHECK(authority_of(*url) == "api.example.com");
    CHECK(*Url::parse("http://h:8080?x") == Url{Scheme::http, "h", 8080, "/?x"});
    CHECK(authority_of(*Url::parse("http://h:8080")) == "h:8080");
    CHECK(*Url::parse("tcps://10.0.0.1:9") == Url{Scheme::tcps, "10.0.0.1", 9, "/"});
}

TEST_CASE("an IPv6 address loses its brackets and gets them back in the Host header") {
    const auto url = Url::parse("http://[::1]:81/");
    REQUIRE(url);
    CHECK(url->host == "::1");
    CHECK(authority_of(*url) == "[::1]:81");
    CHECK(authority_of(*Url::parse("http://[::1]/")) == "[::1]");
}

TEST_CASE("a URL that cannot be called says why") {
    for (const auto* text :
         {"", "ftp://h/", "h/path", "http://", "http://:80", "http://h:", "http://h:0",
          "http://h:65536", "http://h:8x", "http://[::1", "http://[::1]x", "http://u:p@h/",
          "tcp://h", "http://h/a b", "http://h/\r\nX: y", "http://h\r\n/", "http://[zz]/"}) {
        CAPTURE(text);
        const auto url = Url::parse(text);
        REQUIRE_FALSE(url);
        CHECK(url.error().code == Errc::invalid);
    }
}

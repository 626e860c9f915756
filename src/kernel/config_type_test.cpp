#include "kernel/config_type.hpp"

#include <doctest/doctest.h>

using namespace hive;

TEST_CASE("numbers, sizes, addresses and urls that are nearly right are refused") {
    for (const char* text : {"", "-1", "70000", "8080 ", "0x50", "1e3", "８"}) {
        CHECK_MESSAGE(!ConfigType<std::uint16_t>::parse(text), text);
    }
    CHECK_FALSE(ConfigType<double>::parse("nan"));
    CHECK_FALSE(ConfigType<double>::parse("1,5"));
    for (const char* text : {"", "MiB", "1QB", "-1", "1.5", "99999999999999TB", "1 MB"}) {
        CHECK_MESSAGE(!parse_byte_size(text), text);
    }
    CHECK(parse_byte_size("1.5KiB")->bytes == 1536);
    CHECK(format_byte_size({1536}) == "1536B");
    CHECK(format_byte_size({0}) == "0B");
    for (const char* text : {"", "host", ":80", "host:", "host:x", "[::1:80", "a b:1", "h:1:2"}) {
        CHECK_MESSAGE(!parse_address(text), text);
    }
    CHECK(format_address({"::1", 80}) == "[::1]:80");
    for (const char* text :
         {"", "host", "://h", "a://", "a://:1", "a b://h", "a://h h", "a://h:x"}) {
        CHECK_MESSAGE(!Url::parse(text), text);
    }
    const auto url = Url::parse("AMQPS://u:p@[::1]:5671/v?password=x");
    CHECK(url->scheme() == "amqps");
    CHECK(url->host() == "::1");
    CHECK(url->port() == 5671);
    CHECK(url->shown() == "AMQPS://u:***@[::1]:5671/v?***");
}

#include "api/http/listen.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::http;

TEST_CASE("an address is an IP and a port, or the path of a unix socket") {
    for (const std::string text :
         {"127.0.0.1:8080", "[::1]:0", "0.0.0.0:80", "unix:/run/hive.sock"}) {
        const auto endpoint = parse_address(text);
        REQUIRE(endpoint);
        CHECK(to_text(*endpoint) == text);
    }
    CHECK(to_text(*parse_address("localhost:1")) == "127.0.0.1:1");
    for (const std::string text :
         {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000",
          "host.example:80", "unix:"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_address(text));
    }
    CHECK_FALSE(parse_address("unix:/" + std::string(200, 'x')));
}

TEST_CASE("an address that others can reach needs TLS or an explicit word") {
    const auto allowed = [](const std::string& address, bool word) {
        return check_exposure({.address = address}, *parse_address(address), word).has_value();
    };
    for (const std::string safe :
         {"127.0.0.1:80", "127.8.8.8:80", "[::1]:80", "unix:/tmp/x", "[::ffff:127.0.0.1]:80"}) {
        CHECK(allowed(safe, false));
    }
    for (const std::string open : {"0.0.0.0:80", "[::]:80", "192.168.1.1:80"}) {
        CHECK_FALSE(allowed(open, false));
        CHECK(allowed(open, true));
    }
}

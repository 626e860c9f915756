#include "web/curl/public_address.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <string>

using namespace hive::web::curl;

namespace {

bool is_public_text(const std::string& text) {
    sockaddr_storage address{};
    if (text.find(':') == std::string::npos) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(address);
        v4.sin_family = AF_INET;
        REQUIRE(::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1);
    } else {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
        v6.sin6_family = AF_INET6;
        REQUIRE(::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1);
    }
    return is_public(reinterpret_cast<const sockaddr&>(address));
}

} // namespace

TEST_CASE("addresses of the internet are public") {
    for (const char* text :
         {"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.1",
          "192.167.1.1", "223.255.255.255", "2606:4700::1111", "2a00::1", "2001:4860:4860::8888",
          "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"}) {
        CHECK_MESSAGE(is_public_text(text), text);
    }
}

TEST_CASE("this machine, private networks and reserved ranges are not, in whatever form") {
    for (const char* text :
         {"0.0.0.0",
          "10.1.2.3",
          "100.64.0.1",
          "100.127.255.255",
          "127.0.0.1",
          "127.255.255.254",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.8",
          "192.0.2.1",
          "192.168.0.1",
          "198.18.0.1",
          "198.19.255.255",
          "198.51.100.7",
          "203.0.113.7",
          "224.0.0.1",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::ffff:127.0.0.1",
          "::ffff:10.0.0.1",
          "::7f00:1",
          "64:ff9b::10.0.0.1",
          "64:ff9b:1::1",
          "2002:a00:1::1",
          "2001::1",
          "2001:db8::1",
          "3fff::1",
          "fc00::1",
          "fd12::1",
          "fe80::1",
          "ff02::1"}) {
        CHECK_MESSAGE(!is_public_text(text), text);
    }
    const sockaddr local{.sa_family = AF_UNIX, .sa_data = {}};
    CHECK_FALSE(is_public(local));
}

#include "web/curl/exemptions.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

using namespace hive::web::curl;

namespace {

bool has(const Exemptions& allowed, const std::string& text) {
    sockaddr_storage storage{};
    if (text.find(':') == text.npos) {
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        REQUIRE(::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1);
        std::memcpy(&storage, &v4, sizeof v4);
    } else {
        sockaddr_in6 v6{};
        v6.sin6_family = AF_INET6;
        REQUIRE(::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1);
        std::memcpy(&storage, &v6, sizeof v6);
    }
    return allowed.has(reinterpret_cast<const sockaddr&>(storage));
}

} // namespace

TEST_CASE("a network allows its addresses, in whatever form they come, and no others") {
    const auto allowed = Exemptions::parse({"10.1.0.0/16", "192.168.7.7", "fd00::/9", "::1"});
    REQUIRE(allowed);
    for (const auto* inside :
         {"10.1.0.0", "10.1.255.255", "192.168.7.7", "::ffff:10.1.2.3", "fd00::1",
          "fd7f::", "::1"}) {
        CHECK_MESSAGE(has(*allowed, inside), inside);
    }
    for (const auto* outside :
         {"10.2.0.0", "10.0.255.255", "192.168.7.8", "::ffff:10.2.0.1", "fd80::1", "::2",
          "127.0.0.1", "169.254.169.254"}) {
        CHECK_MESSAGE(!has(*allowed, outside), outside);
    }
    CHECK_FALSE(has(Exemptions{}, "127.0.0.1"));
    CHECK(has(Exemptions::parse({"0.0.0.0/0"}).value(), "127.0.0.1"));
    CHECK_FALSE(has(Exemptions::parse({"0.0.0.0/0"}).value(), "::1"));
}

TEST_CASE("a host is allowed by its name, however it is written") {
    const auto allowed = Exemptions::parse({"Hooks.internal", "localhost"});
    REQUIRE(allowed);
    CHECK(allowed->has_host("hooks.INTERNAL"));
    CHECK(allowed->has_host("localhost"));
    CHECK_FALSE(allowed->has_host("evil-hooks.internal"));
    CHECK_FALSE(allowed->has_host("127.0.0.1"));
    CHECK_FALSE(has(*allowed, "127.0.0.1"));
}

TEST_CASE("what is neither a network nor a host is refused by name") {
    for (const auto* bad :
         {"", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/", "10.0.0", "fd00::/129", "a b", "http://a",
          "-a", "10.0.0.0/-1", "::1%lo"}) {
        const auto allowed = Exemptions::parse({bad});
        REQUIRE_MESSAGE(!allowed, bad);
        CHECK(allowed.error().detail.find(bad) != std::string::npos);
    }
}

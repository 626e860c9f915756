#include "colony/webhooks/endpoint.hpp"
#include "colony/webhooks/signature.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::webhooks;
using namespace std::chrono_literals;

namespace {
Timestamp at(std::int64_t seconds) {
    return Timestamp{std::chrono::seconds{seconds}};
}
} // namespace

TEST_CASE("a signature is the one that Standard Webhooks publishes for the same message") {
    // The example of the specification and of its reference libraries.
    const Secret secret{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
    const auto signature =
        sign(secret, {"msg_p5jXN8AQM9LWM0D4loKWxJek", at(1614265330), R"({"test": 2432232314})"});
    REQUIRE(signature);
    CHECK(*signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("a secret that is too short, too long or not base64 is refused without being told") {
    for (const auto* bad :
         {"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8G",
          "whsec_*fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}) {
        const auto key = key_of(Secret{bad});
        REQUIRE_FALSE(key);
        CHECK(key.error().detail.find("MfKQ") == std::string::npos);
    }
    CHECK(key_of(make_secret({1, 2, 3}))->size() == secret_bytes);
}

TEST_CASE("while a rotation overlaps, both secrets sign; afterwards only the new one") {
    Endpoint endpoint{.id = "e", .url = "https://a.example/"};
    endpoint.secrets = {
        .signing = make_secret({1}), .former = make_secret({2}), .former_until = at(100)};
    const auto both = signatures(endpoint, {"m", at(99), "{}"});
    REQUIRE(both);
    CHECK(
        *both == *sign(endpoint.secrets.signing, {"m", at(99), "{}"}) + ' ' +
                     *sign(endpoint.secrets.former, {"m", at(99), "{}"}));
    const auto one = signatures(endpoint, {"m", at(100), "{}"});
    REQUIRE(one);
    CHECK(one->find(' ') == std::string::npos);
}

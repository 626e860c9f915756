#include "api/rest/oidc_config.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::rest;

namespace {

OidcConfig good() {
    return {
        .issuer = "https://id.example",
        .client_id = "hive",
        .redirect_uri = "https://hive.example/auth/callback",
        .rules = {.roles = {}, .otherwise = accounts::Role::human}};
}

} // namespace

TEST_CASE("a configuration says everything that is wrong with it at once") {
    CHECK(check(good()));
    const auto empty = check(OidcConfig{});
    REQUIRE_FALSE(empty);
    for (const char* part : {"issuer", "client id", "redirect URI", "nobody could come in"}) {
        CHECK_MESSAGE(empty.error().detail.find(part) != std::string::npos, part);
    }
    OidcConfig elsewhere = good();
    elsewhere.redirect_uri = "https://hive.example/elsewhere";
    CHECK_FALSE(check(elsewhere));
    OidcConfig plain = good();
    plain.issuer = "http://id.example";
    CHECK_FALSE(check(plain));
}

TEST_CASE("GitHub needs no issuer but a secret, and has a scope of its own") {
    OidcConfig github = good();
    github.kind = OidcKind::github;
    github.issuer.clear();
    CHECK_FALSE(check(github));
    github.client_secret = Secret{"word"};
    CHECK(check(github));
    CHECK(client_of(github).scope == "read:user user:email");
    CHECK(client_of(good()).scope == "openid profile email");
    github.scope = "read:user";
    CHECK(client_of(github).scope == "read:user");
}

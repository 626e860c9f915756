#include "accounts/id_token.hpp"
#include "kernel/encoding.hpp"
#include "kernel/signature.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {

const Timestamp now{1'750'000'000s};
const TokenExpectation expected{.issuer = "https://id.example", .audience = "hive", .nonce = "n-1"};

std::string encoded(std::string_view text) {
    return to_base64(bytes_of(text), Base64::url);
}

const SigningKey& provider_key() {
    static const SigningKey key = SigningKey::from_seed({1, 2, 3});
    return key;
}

std::vector<WebKey> provider_keys() {
    const auto raw = provider_key().verifying_key().raw();
    return *parse_web_keys(
        R"({"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k1","use":"sig","x":")" +
        to_base64(raw, Base64::url) + R"("}]})");
}

std::string
token(std::string_view claims, std::string_view header = R"({"alg":"EdDSA","kid":"k1"})") {
    const std::string text = encoded(header) + "." + encoded(claims);
    return text + "." + to_base64(provider_key().sign(bytes_of(text)), Base64::url);
}

const std::string good_claims =
    R"({"iss":"https://id.example","aud":"hive","nonce":"n-1","sub":"u1","exp":1750000100,)"
    R"("iat":1749999990,"preferred_username":"ann","email":"ann@example","groups":["ops","dev"]})";

std::string with(std::string_view from, std::string_view to) {
    std::string claims = good_claims;
    return claims.replace(claims.find(from), from.size(), to);
}

} // namespace

TEST_CASE("a token signed by the issuer for this login names the person") {
    const auto identity = verify_id_token(token(good_claims), provider_keys(), expected, now);
    REQUIRE(identity.has_value());
    CHECK(identity->subject == "u1");
    CHECK(identity->name == "ann");
    CHECK(identity->groups == std::vector<std::string>{"ops", "dev"});
}

TEST_CASE("every claim that does not fit is refused with its reason") {
    const std::pair<std::string, const char*> cases[] = {
        {with("https://id.example", "https://evil.example"), "not from"},
        {with("\"aud\":\"hive\"", "\"aud\":\"other\""), "another client"},
        {with("\"aud\":\"hive\"", "\"aud\":[\"hive\",\"other\"]"), "another client"},
        {with("1750000100", "1749999900"), "expired"},
        {with("\"exp\":1750000100,", ""), "expired"},
        {with("1750000100", "1e300"), "expired"},
        {with("1749999990", "1750009999"), "future"},
        {with("n-1", "n-2"), "another login"},
        {with("\"u1\"", "\"\""), "nobody"},
    };
    for (const auto& [claims, reason] : cases) {
        const auto identity = verify_id_token(token(claims), provider_keys(), expected, now);
        REQUIRE_FALSE(identity.has_value());
        CHECK_MESSAGE(identity.error().detail.find(reason) != std::string::npos, claims);
    }
}

TEST_CASE("an audience list is fine when the token says it was made for us") {
    const auto claims = with("\"aud\":\"hive\"", "\"aud\":[\"hive\",\"other\"],\"azp\":\"hive\"");
    CHECK(verify_id_token(token(claims), provider_keys(), expected, now).has_value());
}

TEST_CASE("a token cannot choose how it is checked") {
    CHECK_FALSE(
        verify_id_token(token(good_claims, R"({"alg":"none"})"), provider_keys(), expected, now));
    CHECK_FALSE(verify_id_token(
        token(good_claims, R"({"alg":"HS256","kid":"k1"})"), provider_keys(), expected, now));
    CHECK_FALSE(verify_id_token(
        token(good_claims, R"({"alg":"RS256","kid":"k1"})"), provider_keys(), expected, now));
    CHECK_FALSE(verify_id_token(
        token(good_claims, R"({"alg":"EdDSA","kid":"k2"})"), provider_keys(), expected, now));
    CHECK_FALSE(verify_id_token(
        token(good_claims, R"({"alg":"EdDSA","kid":"k1","crit":["x"]})"), provider_keys(), expected,
        now));
}

TEST_CASE("every changed byte of a token is noticed") {
    const std::string good = token(good_claims);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = bad[i] == 'A' ? 'B' : 'A';
        CHECK_MESSAGE(!verify_id_token(bad, provider_keys(), expected, now).has_value(), i);
    }
    for (const std::string& junk :
         {std::string{}, std::string{"a.b"}, std::string{"a.b.c.d"}, std::string(20'000, 'a'),
          good + ".x"}) {
        CHECK_FALSE(verify_id_token(junk, provider_keys(), expected, now).has_value());
    }
}

TEST_CASE("a token may name a key that is not here yet") {
    CHECK(has_key_for(token(good_claims), provider_keys()));
    CHECK_FALSE(has_key_for(token(good_claims, R"({"alg":"EdDSA","kid":"k2"})"), provider_keys()));
    CHECK_FALSE(has_key_for(token(good_claims, R"({"alg":"EdDSA"})"), provider_keys()));
    CHECK(has_key_for("no token", provider_keys())); // new keys would not help
}

TEST_CASE("an email address is verified only when the token says so") {
    CHECK_FALSE(
        verify_id_token(token(good_claims), provider_keys(), expected, now)->email_verified);
    const auto said = with("\"groups\"", "\"email_verified\":true,\"groups\"");
    CHECK(verify_id_token(token(said), provider_keys(), expected, now)->email_verified);
    const auto denied = with("\"groups\"", "\"email_verified\":\"false\",\"groups\"");
    CHECK_FALSE(verify_id_token(token(denied), provider_keys(), expected, now)->email_verified);
}

TEST_CASE("the userinfo answer counts only for the person of the token") {
    const auto told = userinfo_identity(R"({"sub":"u1","email":"a@example"})", "u1");
    REQUIRE(told);
    CHECK(told->email == "a@example");
    CHECK(userinfo_identity(R"({"sub":"u2"})", "u1").error().code == Errc::denied);
    CHECK(userinfo_identity("<html>", "u1").error().code == Errc::unavailable);
}

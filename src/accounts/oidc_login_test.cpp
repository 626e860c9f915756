#include "accounts/oidc_login.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {

const TimePoint start{};

const std::string description = R"({"issuer":"https://id.example",
    "authorization_endpoint":"https://id.example/auth","token_endpoint":"https://id.example/token",
    "jwks_uri":"https://id.example/keys"})";

SignIn example() {
    return {
        *parse_provider(description, "https://id.example"),
        {.id = "hive", .secret = Secret{"s&cret"}, .redirect_uri = "https://hive.example/cb"}};
}

LoginEntropy entropy(std::uint8_t seed) {
    LoginEntropy bytes{};
    bytes.fill(seed);
    bytes[32] = 1;
    bytes[64] = 2;
    return bytes;
}

} // namespace

TEST_CASE("a provider must be who it was configured to be and speak https") {
    CHECK(parse_provider(description, "https://id.example").has_value());
    CHECK_FALSE(parse_provider(description, "https://other.example").has_value());
    std::string plain = description;
    plain.replace(plain.find("https://id.example/token"), 5, "http:");
    CHECK(
        parse_provider(plain, "https://id.example").error().detail.find("token_endpoint") !=
        std::string::npos);
    CHECK_FALSE(parse_provider("[]", "https://id.example").has_value());
}

TEST_CASE("plain http is for this machine only, and not for names that begin like it") {
    CHECK(is_provider_address("https://id.example/x"));
    CHECK(is_provider_address("http://127.0.0.1:8080/x"));
    CHECK(is_provider_address("http://localhost"));
    CHECK(is_provider_address("http://[::1]/"));
    for (const char* url :
         {"http://id.example", "http://127.0.0.1.evil.example/", "http://localhost.evil.example",
          "http://localhost@evil.example/", "https://id.example/\r\nX: 1", "ftp://id.example",
          ""}) {
        CHECK_MESSAGE(!is_provider_address(url), url);
    }
}

TEST_CASE("a provider that does not take the secret in the form gets it in a header") {
    CHECK_FALSE(example().provider.secret_in_form);
    std::string takes = description;
    takes.insert(1, R"("token_endpoint_auth_methods_supported":["client_secret_post"],)");
    CHECK(parse_provider(takes, "https://id.example")->secret_in_form);
    // hive:s%26cret
    CHECK(basic_authorization(example().client).reveal() == "Basic aGl2ZTpzJTI2Y3JldA==");
}

TEST_CASE("a login remembers the browser that began it") {
    PendingLogins logins;
    const auto begun = *logins.begin(example(), "/", entropy(7), start);
    const Digest browser = sha256(bytes_of("cookie"));
    logins.bind(begun.state, browser);
    CHECK(logins.finish(begun.state, start)->browser == browser);
}

TEST_CASE("a login carries state, nonce and a PKCE challenge, and is finished once") {
    PendingLogins logins;
    const auto begun = *logins.begin(example(), "/tasks?open=1", entropy(7), start);
    CHECK(begun.url.starts_with("https://id.example/auth?response_type=code&client_id=hive&"));
    CHECK(begun.url.find("redirect_uri=https%3A%2F%2Fhive.example%2Fcb") != std::string::npos);
    CHECK(begun.url.find("code_challenge_method=S256") != std::string::npos);
    CHECK(begun.url.find("state=" + begun.state) != std::string::npos);

    const auto login = logins.finish(begun.state, start + 9min);
    REQUIRE(login.has_value());
    CHECK(login->return_to == "/tasks?open=1");
    CHECK(begun.url.find(std::string{login->verifier.reveal()}) == std::string::npos);
    CHECK(logins.finish(begun.state, start).error().code == Errc::denied);
}

TEST_CASE("the PKCE challenge is the one of RFC 7636 for its example verifier") {
    // Appendix B: these 32 bytes give the verifier dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk.
    LoginEntropy bytes{};
    const std::uint8_t verifier[] = {116, 24,  223, 180, 151, 153, 224, 37,  79,  250, 96,
                                     125, 216, 173, 187, 186, 22,  212, 37,  77,  105, 214,
                                     191, 240, 91,  88,  5,   88,  83,  132, 141, 121};
    std::copy(std::begin(verifier), std::end(verifier), bytes.begin() + 64);
    PendingLogins logins;
    const auto begun = *logins.begin(example(), "/", bytes, start);
    CHECK(
        begun.url.find("code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM") !=
        std::string::npos);
}

TEST_CASE("a login ends after ten minutes and the number under way is bounded") {
    PendingLogins logins;
    const auto begun = *logins.begin(example(), "/", entropy(1), start);
    CHECK(logins.finish(begun.state, start + 10min).error().code == Errc::denied);
    for (int i = 0; i < 2000; ++i) {
        auto bytes = entropy(2);
        bytes[0] = static_cast<std::uint8_t>(i);
        bytes[1] = static_cast<std::uint8_t>(i >> 8);
        (void)logins.begin(example(), "/", bytes, start);
    }
    CHECK(logins.size() == 1024);
    CHECK(logins.begin(example(), "/", entropy(9), start + 11min).has_value());
    CHECK(logins.size() == 1);
}

TEST_CASE("nobody is sent to another site after a login") {
    PendingLogins logins;
    for (const char* path :
         {"", "https://evil.example", "//evil.example", "/\\evil.example", "tasks",
          "/a\nSet-Cookie: x"}) {
        CHECK_MESSAGE(!logins.begin(example(), path, entropy(1), start).has_value(), path);
    }
}

TEST_CASE("the code is exchanged with the verifier and the client's secret, percent-encoded") {
    const PendingLogin login{.nonce = "n", .verifier = Secret{"v"}, .return_to = "/"};
    const Secret body = code_exchange_form("a b", login, example().client);
    CHECK(
        body.reveal() == "grant_type=authorization_code&code=a%20b&"
                         "redirect_uri=https%3A%2F%2Fhive.example%2Fcb&client_id=hive&"
                         "code_verifier=v&client_secret=s%26cret");
    CHECK(id_token_in(R"({"id_token":"x.y.z"})")->reveal() == "x.y.z");
    CHECK(
        id_token_in(R"({"error":"invalid_grant"})").error().detail.find("invalid_grant") !=
        std::string::npos);
    CHECK_FALSE(id_token_in("<html>").has_value());
}

#include "tests/system/oidc_provider.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

std::string with(std::string url, const std::string& parameter, const std::string& value) {
    const std::size_t from = url.find(parameter + '=') + parameter.size() + 1;
    REQUIRE(from != std::string::npos);
    return url.replace(from, url.find('&', from) - from, value);
}

std::string value_of(const std::string& url, const std::string& parameter) {
    const std::size_t from = url.find(parameter + '=') + parameter.size() + 1;
    return url.substr(from, url.find('&', from) - from);
}

// Nobody came in, once for each reason; and no reason holds a code or a token.
void expect_failure(const SignInUnderTest& hive, std::string_view words) {
    CHECK(hive.signed_in().empty());
    REQUIRE(hive.failures().size() == 1);
    const std::string reason = hive.failures().front();
    CHECK_MESSAGE(reason.find(words) != std::string::npos, reason);
    CHECK(reason.find("eyJ") == std::string::npos);
}

} // namespace

TEST_CASE("a callback that was tampered with signs nobody in") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const std::string callback = go_to_callback(browser, "ada");
    SUBCASE("another state") {
        std::string state = value_of(callback, "state");
        state[5] = state[5] == 'A' ? 'B' : 'A';
        CHECK(verdict(browser.get(with(callback, "state", state))) == "403 login-unknown");
        expect_failure(hive, "not begun here");
        CHECK(browser.get(callback).status == 302); // the true one still works
    }
    SUBCASE("no state") {
        CHECK(verdict(browser.get(public_site + "/auth/callback?code=1")) == "400 invalid-input");
        CHECK(hive.signed_in().empty());
    }
    SUBCASE("another browser") {
        browser.forget_cookies();
        const auto answer = browser.get(callback);
        CHECK(verdict(answer) == "403 login-unknown");
        expect_failure(hive, "begun in another browser");
    }
    SUBCASE("another code") {
        const auto answer = browser.get(with(callback, "code", "made-up"));
        CHECK(verdict(answer) == "403 login-refused");
        expect_failure(hive, "invalid_grant");
    }
    SUBCASE("no code") {
        const auto answer = browser.get(with(callback, "code", ""));
        CHECK(verdict(answer) == "403 login-refused");
        expect_failure(hive, "no code");
    }
    SUBCASE("another issuer") {
        const auto answer = browser.get(with(callback, "iss", "https%3A%2F%2Fevil.example"));
        CHECK(verdict(answer) == "403 login-refused");
        expect_failure(hive, "another identity provider");
    }
    SUBCASE("after ten minutes") {
        hive.clock.steady = 11min;
        CHECK(verdict(browser.get(callback)) == "403 login-unknown");
        expect_failure(hive, "took too long");
    }
}

TEST_CASE("a code that was stolen is worth nothing without the browser that began the login") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto victim = hive.browser();
    const std::string code = value_of(go_to_callback(victim, "ada"), "code");
    auto thief = hive.browser();
    const std::string own = go_to_callback(thief, "eve");
    CHECK(verdict(thief.get(with(own, "code", code))) == "403 login-refused");
    expect_failure(hive, "invalid_grant"); // PKCE
}

TEST_CASE("a token that is not what it should be signs nobody in") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const auto refused = [&](std::string_view words) {
        const auto answer = browser.get(go_to_callback(browser, "ada"));
        CHECK(verdict(answer) == "403 login-refused");
        expect_failure(hive, words);
    };
    SUBCASE("answers another login") {
        provider.control("nonce=wrong");
        refused("answers another login");
    }
    SUBCASE("signed by a key that the provider does not publish") {
        provider.control("sign=secret");
        refused("fits no key of the issuer");
    }
    SUBCASE("signed by another key under the same name") {
        provider.control("sign=impostor");
        refused("fits no key of the issuer");
    }
    SUBCASE("expired") {
        hive.clock.of_day = 3h;
        refused("expired");
    }
    SUBCASE("from the future") {
        hive.clock.of_day = -3h;
        refused("from the future");
    }
}

TEST_CASE("who refuses at the provider is refused here, in the provider's words") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const auto answer = browser.get(go_to_callback(browser, "ada", Consent::refused));
    CHECK(verdict(answer) == "403 login-refused");
    CHECK(detail(answer).find("access_denied") != std::string::npos);
    expect_failure(hive, "access_denied");
}

TEST_CASE("a provider that is away is an outage, not a refusal") {
    const ProviderUnderTest provider;
    auto config = provider.config();
    config.ask_again_after = 5s;
    SignInUnderTest hive{config};
    auto browser = hive.browser();
    SUBCASE("from the start") {
        ProviderUnderTest::stop();
        const auto answer = browser.get(public_site + "/auth/login");
        CHECK(verdict(answer) == "503 identity-provider-unavailable");
        CHECK(header_of(answer, "retry-after") == "5");
        expect_failure(hive, "refused the connection");
    }
    SUBCASE("when the code is to be exchanged") {
        const std::string callback = go_to_callback(browser, "ada");
        ProviderUnderTest::stop();
        CHECK(verdict(browser.get(callback)) == "503 identity-provider-unavailable");
        expect_failure(hive, "refused the connection");
        // What is known about it is used on: the browser will see for itself.
        CHECK(browser.get(public_site + "/auth/login").status == 302);
    }
    SUBCASE("it says so itself") {
        const std::string callback = go_to_callback(browser, "ada");
        const auto answer = browser.get(
            public_site +
            "/auth/callback?error=temporarily_unavailable&state=" + value_of(callback, "state"));
        CHECK(verdict(answer) == "503 identity-provider-unavailable");
    }
}

TEST_CASE("a description that names another issuer is not believed") {
    const ProviderUnderTest provider;
    auto config = provider.config();
    config.issuer.replace(config.issuer.find("127.0.0.1"), 9, "localhost");
    SignInUnderTest hive{config};
    auto browser = hive.browser();
    CHECK(verdict(browser.get(public_site + "/auth/login")) == "503 identity-provider-unavailable");
    expect_failure(hive, "calls itself 'http://127.0.0.1");
}

TEST_CASE("a login leads back into this server only, and not past the door") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    for (const char* path :
         {"https://evil.example", "//evil.example", "tasks", "/\\evil.example"}) {
        const auto answer = browser.get(public_site + "/auth/login?return_to=" + path);
        CHECK_MESSAGE(answer.status == 400, path);
    }
    hive.closed_door = api::Problem{.status = 429, .code = "login-pause", .detail = "wait"};
    CHECK(verdict(browser.get(public_site + "/auth/login")) == "429 login-pause");
    CHECK(verdict(browser.get(public_site + "/auth/callback?state=x")) == "429 login-pause");
}

TEST_CASE("the cookie that binds a login is for the browser and this site only") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const std::string cookie = header_of(browser.get(public_site + "/auth/login"), "set-cookie");
    CHECK(cookie.starts_with("hive_login="));
    CHECK(cookie.ends_with("; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure"));
}

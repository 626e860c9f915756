#include "tests/system/oidc_provider.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

TEST_CASE("a person signs in at the provider and comes back with a role") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const std::string callback = go_to_callback(browser, "ada");
    const auto answer = browser.get(callback);
    CHECK(answer.status == 302);
    CHECK(header_of(answer, "location") == "/tasks?open=1");
    CHECK(header_of(answer, "set-cookie").starts_with("hive_session="));
    CHECK(header_of(answer, "cache-control") == "no-store");
    CHECK(header_of(answer, "referrer-policy") == "no-referrer");
    const auto all = hive.signed_in();
    REQUIRE(all.size() == 1);
    CHECK(all[0].person == "ada@example.com");
    CHECK(all[0].role == accounts::Role::admin);
    CHECK(all[0].return_to == "/tasks?open=1");
    CHECK("http://" + all[0].provider == provider.issuer());
    CHECK(all[0].subject == "subject-of-ada");
    CHECK(all[0].name == "ada");
    CHECK(hive.failures().empty());

    SUBCASE("a callback is good for one login") {
        CHECK(verdict(browser.get(callback)) == "403 login-unknown");
        CHECK(hive.signed_in().size() == 1);
        CHECK(hive.failures().size() == 1);
    }
    SUBCASE("a page asks for HTML and is told in HTML") {
        const auto page = browser.get(callback, "text/html,application/xhtml+xml");
        CHECK(page.status == 403);
        CHECK(header_of(page, "content-type").starts_with("text/html"));
        CHECK(page.body.find("sign in again") != std::string::npos);
    }
}

TEST_CASE("rules decide on roles, and who fits none is told so") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto bob = hive.browser();
    CHECK(bob.get(go_to_callback(bob, "bob")).status == 302);
    CHECK(hive.signed_in().at(0).role == accounts::Role::readonly);
    // Says that her address is Ada's, which the provider has not verified.
    auto eve = hive.browser();
    const auto answer = eve.get(go_to_callback(eve, "eve"));
    CHECK(verdict(answer) == "403 no-role");
    CHECK(detail(answer).find("subject-of-eve has no role in this hive") != std::string::npos);
    CHECK(hive.failures().at(0).find("fits no role rule") != std::string::npos);
}

TEST_CASE("two tabs of one browser can sign in at the same time") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    const std::string first = go_to_callback(browser, "ada");
    const std::string second = go_to_callback(browser, "ada");
    CHECK(browser.get(second).status == 302);
    CHECK(browser.get(first).status == 302);
}

TEST_CASE("description and keys are fetched once, and keys again when the provider has new ones") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    for (int i = 0; i < 3; ++i) CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
    CHECK(provider.control("counts") == R"({"description":1,"keys":1})");
    provider.control("sign=new");
    for (int i = 0; i < 3; ++i) CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
    CHECK(provider.control("counts") == R"({"description":1,"keys":2})");
    CHECK(hive.failures().empty());
}

TEST_CASE("keys are not fetched again for a while, whatever tokens name") {
    const ProviderUnderTest provider;
    auto config = provider.config();
    config.ask_again_after = 60s;
    SignInUnderTest hive{config};
    auto browser = hive.browser();
    CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
    provider.control("sign=new");
    CHECK(verdict(browser.get(go_to_callback(browser, "ada"))) == "403 login-refused");
    CHECK(provider.control("counts") == R"({"description":1,"keys":1})");
    hive.clock.steady = 61s;
    CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
}

TEST_CASE("what the ID token does not hold is asked for at userinfo") {
    const ProviderUnderTest provider;
    provider.control("claims=userinfo");
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
    CHECK(hive.signed_in().at(0).person == "ada@example.com");
    CHECK(hive.signed_in().at(0).role == accounts::Role::admin);
}

TEST_CASE("the client's secret goes where the provider takes it") {
    const ProviderUnderTest provider;
    provider.control("secret=basic");
    SignInUnderTest hive{provider.config()};
    auto browser = hive.browser();
    CHECK(browser.get(go_to_callback(browser, "ada")).status == 302);
    CHECK(hive.signed_in().size() == 1);
}

TEST_CASE("the API's document tells both operations") {
    const ProviderUnderTest provider;
    SignInUnderTest hive{provider.config()};
    const auto document = parse_json(hive.openapi()).value();
    CHECK(document.at("paths")
              .at("/auth/login")
              .at("get")
              .at("responses")
              .as_object()
              .contains("302"));
    CHECK(document.at("paths").at("/auth/callback").at("get").at("operationId") == "finishSignIn");
}

#include "tests/system/oidc_github_stand_in.hpp"
#include "tests/system/oidc_scene.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace hive;
using namespace hive::test;

TEST_CASE("a person signs in with GitHub") {
    const GitHubStandIn github;
    SignInUnderTest hive{github.config()};
    auto browser = hive.browser();
    const auto answer = browser.get(go_to_github_callback(browser));
    CHECK(answer.status == 302);
    CHECK(header_of(answer, "location") == "/tasks");
    const auto who = hive.signed_in().at(0);
    CHECK(who.person == "cat@example.com");
    CHECK(who.role == accounts::Role::human);
    CHECK(who.provider == "github");
    CHECK(who.subject == "583231");
    CHECK(who.name == "octocat");
}

TEST_CASE("GitHub's number of a person can be a rule, and an unverified address cannot") {
    GitHubStandIn github;
    github.verified = false;
    auto config = github.config();
    SUBCASE("address") {
        SignInUnderTest hive{config};
        auto browser = hive.browser();
        CHECK(verdict(browser.get(go_to_github_callback(browser))) == "403 no-role");
        CHECK(hive.failures().at(0) == "github:583231 fits no role rule");
    }
    SUBCASE("number") {
        config.rules.roles = {*accounts::parse_role_rule("subject:583231=admin")};
        SignInUnderTest hive{config};
        auto browser = hive.browser();
        CHECK(browser.get(go_to_github_callback(browser)).status == 302);
        CHECK(hive.signed_in().at(0).person == "github:583231");
    }
}

TEST_CASE("GitHub's refusals and outages are told apart") {
    GitHubStandIn github;
    SignInUnderTest hive{github.config()};
    auto browser = hive.browser();
    std::string callback = go_to_github_callback(browser);
    SUBCASE("a wrong code") {
        callback.replace(callback.find("code=") + 5, 4, "oops");
        const auto answer = browser.get(callback);
        CHECK(verdict(answer) == "403 login-refused");
        CHECK(detail(answer).find("bad_verification_code") != std::string::npos);
    }
    SUBCASE("not allowed to see the addresses") {
        github.api_status = 404;
        CHECK(verdict(browser.get(callback)) == "403 login-refused");
    }
    SUBCASE("broken") {
        github.api_status = 502;
        CHECK(verdict(browser.get(callback)) == "503 identity-provider-unavailable");
    }
    CHECK(hive.failures().size() == 1);
    CHECK(hive.failures().at(0).find("gho_") == std::string::npos);
    CHECK(hive.signed_in().empty());
}

TEST_CASE("many people sign in at the same time") {
    const GitHubStandIn github;
    SignInUnderTest hive{github.config()};
    std::atomic<int> in{0};
    std::vector<std::thread> people;
    for (int i = 0; i < 8; ++i) {
        people.emplace_back([&] {
            auto browser = hive.browser();
            for (int n = 0; n < 20; ++n) {
                if (browser.get(go_to_github_callback(browser)).status == 302) ++in;
            }
        });
    }
    for (auto& person : people) person.join();
    CHECK(in == 160);
    CHECK(hive.signed_in().size() == 160);
}

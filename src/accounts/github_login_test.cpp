#include "accounts/github_login.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;

namespace {

const std::string octocat = R"({"login":"octocat","id":583231,"node_id":"MDQ6","name":"The Octocat",
    "email":"public@example.com","type":"User","plan":{"name":"pro"}})";

} // namespace

TEST_CASE("GitHub's number and verified primary address make the identity") {
    const auto identity = github_identity(
        octocat, R"([{"email":"old@example.com","primary":false,"verified":true,"visibility":null},
            {"email":"cat@example.com","primary":true,"verified":true,"visibility":"private"}])");
    REQUIRE(identity);
    CHECK(identity->subject == "583231");
    CHECK(identity->name == "octocat");
    CHECK(identity->email == "cat@example.com");
    CHECK(identity->email_verified);
}

TEST_CASE("an address that is not verified is not believed, the public one neither") {
    const auto identity = github_identity(
        octocat, R"([{"email":"cat@example.com","primary":true,"verified":false}])");
    REQUIRE(identity);
    CHECK(identity->email.empty());
    CHECK_FALSE(identity->email_verified);
}

TEST_CASE("answers of another shape are refused") {
    CHECK_FALSE(github_identity("{}", "[]"));
    CHECK_FALSE(github_identity(R"({"login":"octocat","id":"583231"})", "[]"));
    CHECK_FALSE(github_identity(octocat, R"({"message":"Not Found"})"));
    CHECK_FALSE(github_identity("<html>", "[]"));
}

TEST_CASE("the addresses are those GitHub documents, under whatever host it runs") {
    CHECK(github_provider({}).authorization_endpoint == "https://github.com/login/oauth/authorize");
    CHECK(
        github_provider({.web = "https://git.example", .api = "https://git.example/api/v3"})
            .token_endpoint == "https://git.example/login/oauth/access_token");
}

#include "accounts/sign_in_rules.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;

namespace {

const Identity ada{
    .subject = "248289761001",
    .name = "ada",
    .email = "Ada@Example.com",
    .email_verified = true,
    .groups = {"dev", "ops"}};

SignInRules rules(std::initializer_list<const char*> texts) {
    SignInRules made;
    for (const char* text : texts) made.roles.push_back(*parse_role_rule(text));
    return made;
}

} // namespace

TEST_CASE("a rule reads and writes as one line") {
    for (const char* text :
         {"email:ada@example.com=admin", "domain:example.com=human", "group:a:b c=readonly",
          "subject:dGVzdA===human"}) {
        const auto rule = parse_role_rule(text);
        REQUIRE_MESSAGE(rule, text);
        CHECK(to_text(*rule) == text);
    }
    CHECK(parse_role_rule("subject:dGVzdA===human")->value == "dGVzdA==");
    for (const char* text :
         {"", "email", "email:=admin", "email:ada@example.com", "phone:1=admin", "group:x=king"}) {
        CHECK_MESSAGE(!parse_role_rule(text), text);
    }
}

TEST_CASE("the first rule that fits decides, then the default, else nobody comes in") {
    CHECK(role_for(ada, rules({"group:ops=admin", "group:dev=readonly"})) == Role::admin);
    CHECK(role_for(ada, rules({"group:dev=readonly", "group:ops=admin"})) == Role::readonly);
    CHECK(role_for(ada, rules({"email:ada@EXAMPLE.com=human"})) == Role::human);
    CHECK(role_for(ada, rules({"domain:example.com=human"})) == Role::human);
    CHECK(role_for(ada, rules({"subject:248289761001=admin"})) == Role::admin);
    CHECK_FALSE(role_for(
        ada,
        rules(
            {"group:Ops=admin", "domain:ample.com=admin", "email:ada=admin", "subject:2=admin"})));
    CHECK_FALSE(role_for(ada, {}));
    CHECK(role_for(ada, {.roles = {}, .otherwise = Role::readonly}) == Role::readonly);
}

TEST_CASE("an address that nobody verified gives no role") {
    Identity claimed = ada;
    claimed.email_verified = false;
    CHECK_FALSE(
        role_for(claimed, rules({"email:ada@example.com=admin", "domain:example.com=human"})));
    claimed.email.clear();
    CHECK_FALSE(role_for(claimed, rules({"domain:example.com=human"})));
}

TEST_CASE("a person is called by what they cannot choose") {
    CHECK(*person_of(ada, "id.example") == "ada@example.com");
    Identity claimed = ada;
    claimed.email_verified = false;
    CHECK(*person_of(claimed, "id.example") == "id.example:248289761001");
    claimed.subject = "line\nbreak";
    CHECK_FALSE(person_of(claimed, "id.example"));
    claimed.subject = std::string(300, 'x');
    CHECK_FALSE(person_of(claimed, "id.example"));
}

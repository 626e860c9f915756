#include "accounts/permission.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;

TEST_CASE("a scope grants its level and those below it in its area only") {
    const auto scopes = *Scopes::parse({"tasks:write"});
    CHECK(scopes.allows(Area::tasks, Level::read));
    CHECK(scopes.allows(Area::tasks, Level::write));
    CHECK_FALSE(scopes.allows(Area::tasks, Level::admin));
    CHECK_FALSE(scopes.allows(Area::swarms, Level::read));
}

TEST_CASE("the star stands for every area and a later scope never lowers an earlier one") {
    const auto scopes = *Scopes::parse({"*:read", "keys:admin", "keys:read"});
    CHECK(scopes.allows(Area::audit, Level::read));
    CHECK(scopes.allows(Area::keys, Level::admin));
}

TEST_CASE("every wrong scope is named in one error") {
    const auto scopes =
        Scopes::parse({"tasks", "tasks:fly", "moon:read", "tasks:none", "tasks:read"});
    REQUIRE_FALSE(scopes.has_value());
    for (const char* wrong : {"'tasks'", "'tasks:fly'", "'moon:read'", "'tasks:none'"}) {
        CHECK(scopes.error().detail.find(wrong) != std::string::npos);
    }
}

TEST_CASE("scopes print in the shortest spelling that parses back") {
    for (const Role role : {Role::admin, Role::human, Role::bee, Role::readonly}) {
        const Scopes scopes = Scopes::of(role);
        CHECK(*Scopes::parse(scopes.texts()) == scopes);
    }
    CHECK(Scopes::everything().texts() == std::vector<std::string>{"*:admin"});
    CHECK(Scopes{}.texts().empty());
}

TEST_CASE("roles are ordered by what they may do where it matters") {
    const auto admin = Scopes::of(Role::admin);
    const auto human = Scopes::of(Role::human);
    const auto bee = Scopes::of(Role::bee);
    const auto readonly = Scopes::of(Role::readonly);
    CHECK(admin.includes(human));
    CHECK(human.includes(readonly));
    CHECK(human.includes(bee));
    CHECK_FALSE(bee.includes(human));
    CHECK_FALSE(bee.allows(Area::swarms, Level::write));
    CHECK_FALSE(human.allows(Area::keys, Level::read));
    for (std::size_t i = 0; i < area_count; ++i) {
        CHECK_FALSE(readonly.allows(static_cast<Area>(i), Level::write));
    }
}

TEST_CASE("a key never does more than its role") {
    const auto wanted = *Scopes::parse({"*:admin"});
    CHECK(wanted.narrowed_by(Scopes::of(Role::bee)) == Scopes::of(Role::bee));
}

TEST_CASE("role names read back and others are refused with the choices") {
    for (const Role role : {Role::admin, Role::human, Role::bee, Role::readonly}) {
        CHECK(*parse_role(name_of(role)) == role);
    }
    CHECK(parse_role("root").error().detail.find("readonly") != std::string::npos);
}

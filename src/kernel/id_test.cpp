#include "kernel/id.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;

TEST_CASE("an id of letters, digits, underscore and hyphen is accepted as written") {
    for (const char* text : {"a", "0", "alpha-processor-1", "A_b-C9", "all"}) {
        const auto id = SwarmId::parse(text);
        REQUIRE_MESSAGE(id.has_value(), text);
        CHECK(id->text() == text);
    }
    CHECK(InstanceId::parse(std::string(63, 'x')).has_value());
}

TEST_CASE("an id that could misroute is refused and the error names the field") {
    for (const char* text : {"", "a.b", "*", "#", "-a", "_a", "a b", "\xc3\xa9", "ALL", "a\n"}) {
        const auto id = Role::parse(text);
        REQUIRE_MESSAGE(!id.has_value(), text);
        CHECK(id.error().code == Errc::invalid);
        CHECK(id.error().detail.find("role") != std::string::npos);
    }
    CHECK_FALSE(QueueName::parse(std::string(64, 'x')).has_value());
}

TEST_CASE("a hostile id is shortened and made printable in its error") {
    const auto id = QueueName::parse(std::string(100'000, '\x01'));
    REQUIRE_FALSE(id.has_value());
    CHECK(id.error().detail.size() < 200);
    CHECK(id.error().detail.find('\x01') == std::string::npos);
}

TEST_CASE("ids compare and hash by their text") {
    const auto a = *SwarmId::parse("a");
    const auto b = *SwarmId::parse("b");
    CHECK(a < b);
    CHECK(std::set{a, b, a}.size() == 2);
    CHECK(std::hash<SwarmId>{}(a) == std::hash<SwarmId>{}(*SwarmId::parse("a")));
}

#include "cli/text_table.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::cli;

TEST_CASE("columns are as wide as their widest cell, and no line ends in blanks") {
    TextTable table{{"ID", "OWNER"}};
    CHECK(table.text().empty());
    table.add({"key-1", "alice"});
    table.add({"k", ""});
    CHECK(table.text() == "ID     OWNER\nkey-1  alice\nk\n");
}

TEST_CASE("cells from outside cannot steer a terminal") {
    TextTable table{{"A"}};
    table.add({"\x1b[2Jx\n"});
    CHECK(table.text().find('\x1b') == std::string::npos);
    CHECK(fields_text({{"name", "a\nb"}}).find("a\nb") == std::string::npos);
}

TEST_CASE("fields without a value are left out") {
    CHECK(fields_text({{"id", "7"}, {"expires", ""}, {"owner", "x"}}) == "id     7\nowner  x\n");
    const json::object object{{"scopes", {"a:read", "b:write"}}, {"n", 7}, {"none", nullptr}};
    CHECK(member_text(object, "scopes") == "a:read, b:write");
    CHECK(member_text(object, "n") == "7");
    CHECK(member_text(object, "none").empty());
    CHECK(member_text(object, "absent").empty());
    CHECK(member_time({{"at", "2026-01-05T10:00:00.25Z"}}, "at") == "2026-01-05T10:00:00Z");
}

TEST_CASE("an age is said in the largest unit that fits") {
    const json::object object{{"at", "2026-01-05T10:00:00.25Z"}, {"odd", "soon"}};
    const auto at = [&](const char* now) {
        return member_age(object, "at", parse_timestamp(now).value());
    };
    CHECK(at("2026-01-05T09:59:58Z") == "0s ago");
    CHECK(at("2026-01-05T10:00:03.5Z") == "3s ago");
    CHECK(at("2026-01-05T10:01:59Z") == "1m ago");
    CHECK(at("2026-01-05T13:00:01Z") == "3h ago");
    CHECK(at("2026-01-08T10:00:01Z") == "3d ago");
    CHECK(member_age(object, "odd", {}) == "soon");
    CHECK(member_age(object, "none", {}).empty());
}

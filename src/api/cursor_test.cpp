#include "api/cursor.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive::api;

TEST_CASE("a cursor comes back as it was, for the listing it was made for") {
    const CursorCodec codec{"secret"};
    for (const auto& position : std::vector<std::string>{"", "1", "2026-01-01|id", {"a\0b", 3}}) {
        const std::string cursor = codec.encode("tasks", position);
        CHECK(cursor.find_first_of("+/= ") == cursor.npos);
        CHECK(codec.decode("tasks", cursor) == position);
        CHECK_FALSE(codec.decode("bees", cursor));
        CHECK_FALSE(CursorCodec{"other"}.decode("tasks", cursor));
    }
}

TEST_CASE("any change of a cursor is noticed") {
    const CursorCodec codec{"secret"};
    const std::string cursor = codec.encode("tasks", "position");
    for (std::size_t i = 0; i < cursor.size(); ++i) {
        std::string changed = cursor;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        CHECK_FALSE(codec.decode("tasks", changed));
        CHECK_FALSE(codec.decode("tasks", cursor.substr(0, i)));
    }
    CHECK_FALSE(codec.decode("tasks", cursor + "A"));
    CHECK_FALSE(codec.decode("tasks", "not base64!"));
    CHECK_FALSE(codec.decode("tasks", std::string(5000, 'A')));
}

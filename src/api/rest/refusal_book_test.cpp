#include "api/rest/refusal_book.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::rest;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint{} + 1h;

Refused bad_key(std::string peer = "10.0.0.1") {
    return {
        .action = "auth.failed", .actor = "key", .reason = "no such key", .peer = std::move(peer)};
}

} // namespace

TEST_CASE("the first refusal is written down at once, those of its minute as one number") {
    RefusalBook book;
    CHECK(book.note(bad_key(), start)->count == 1);
    for (int i = 0; i < 500; ++i) CHECK_FALSE(book.note(bad_key(), start + 1s));
    CHECK(book.take_due(start + 59s).empty());
    const auto due = book.take_due(start + 60s);
    REQUIRE(due.size() == 1);
    CHECK(due.front().count == 500);
    CHECK(book.size() == 0);
    CHECK(book.note(bad_key(), start + 61s)->count == 1);
    CHECK(book.take_due(start + 200s).empty()); // nothing happened since
}

TEST_CASE("who comes back before anybody looked brings what was counted along") {
    RefusalBook book;
    book.note(bad_key(), start);
    book.note(bad_key(), start + 1s);
    CHECK(book.note(bad_key(), start + 61s)->count == 2);
}

TEST_CASE("another address, reason or actor is another kind") {
    RefusalBook book;
    book.note(bad_key(), start);
    CHECK(book.note(bad_key("10.0.0.2"), start));
    Refused other = bad_key();
    other.reason = "expired";
    CHECK(book.note(other, start));
    other.actor = "human:ann";
    CHECK(book.note(other, start));
}

TEST_CASE("too many kinds are counted together, and nothing counted is lost at the end") {
    RefusalBook book{{.kinds_max = 10}};
    for (int i = 0; i < 10; ++i) CHECK(book.note(bad_key(fmt::format("10.0.1.{}", i)), start));
    CHECK(book.note(bad_key("10.0.2.0"), start)->actor == "many");
    for (int i = 0; i < 90; ++i) {
        CHECK_FALSE(book.note(bad_key(fmt::format("10.0.3.{}", i)), start));
    }
    CHECK(book.size() == 11);
    const auto rest = book.take_all();
    REQUIRE(rest.size() == 1);
    CHECK(rest.front().count == 90);
}

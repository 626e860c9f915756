#include "kernel/random.hpp"
#include "kernel/uuid.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;

TEST_CASE("the same seed gives the same numbers, another seed others") {
    Random a{7};
    Random b{7};
    Random c{8};
    for (int i = 0; i < 100; ++i) CHECK(a() == b());
    CHECK(Random{7}() != c());
}

TEST_CASE("bounded numbers stay in their bounds and reach every value") {
    Random random{1};
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        seen.insert(random.below(6));
        const double u = random.unit();
        CHECK(u >= 0.0);
        CHECK(u < 1.0);
    }
    CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5});
    CHECK(random.below(0) == 0);
}

TEST_CASE("an ordered uuid sorts by its time, to less than a microsecond") {
    Random random{7};
    const Timestamp at{std::chrono::milliseconds{0x0123'4567'89ab}};
    const auto first = make_ordered_uuid(at, random);
    CHECK(is_uuid(first));
    CHECK(first.starts_with("01234567-89ab-7"));
    CHECK(make_ordered_uuid(at, random) != first);
    const std::chrono::nanoseconds quarter{245};
    for (const auto later : {quarter, 2 * quarter, quarter * 4000, quarter * 5000}) {
        CHECK(
            make_ordered_uuid(at + later, random) >
            make_ordered_uuid(at + later - quarter, random));
    }
}

TEST_CASE("an ordered uuid can be made to follow another, whatever the clock says") {
    Random random{7};
    const Timestamp at{std::chrono::milliseconds{0x0123'4567'89ab}};
    std::string last = make_ordered_uuid(at + std::chrono::nanoseconds{999'999}, random);
    for (int i = 0; i < 10'000; ++i) { // through more parts than a millisecond has
        const std::string next = make_ordered_uuid(at, random, last);
        REQUIRE(next > last);
        REQUIRE(is_uuid(next));
        REQUIRE(next[14] == '7');
        last = next;
    }
    CHECK(last.starts_with("01234567-89ae"));
    // A clock that has gone on leads again, and what is no uuid has no successor.
    CHECK(
        make_ordered_uuid(at + std::chrono::seconds{1}, random, last).starts_with("01234567-8d93"));
    CHECK(make_ordered_uuid(at, random, "").starts_with("01234567-89ab-7000"));
    CHECK(make_ordered_uuid(at, random, "zebra").starts_with("01234567-89ab-7000"));
}

TEST_CASE("a uuid is version 4, unique, and recognised") {
    Random random{3};
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string id = make_uuid(random);
        CHECK(is_uuid(id));
        CHECK(id[14] == '4');
        CHECK(std::string_view{"89ab"}.find(id[19]) != std::string_view::npos);
        seen.insert(id);
    }
    CHECK(seen.size() == 1000);
    CHECK_FALSE(is_uuid("not-a-uuid"));
    CHECK_FALSE(is_uuid("123e4567-e89b-12d3-a456-42661417400g"));
    CHECK_FALSE(is_uuid("123e4567xe89b-12d3-a456-426614174000"));
}

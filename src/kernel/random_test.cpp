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

TEST_CASE("an ordered uuid sorts by its time, to the millisecond") {
    Random random{7};
    const Timestamp at{std::chrono::milliseconds{0x0123'4567'89ab}};
    const auto first = make_ordered_uuid(at, random);
    CHECK(is_uuid(first));
    CHECK(first.starts_with("01234567-89ab-7"));
    CHECK(make_ordered_uuid(at, random) != first);
    CHECK(make_ordered_uuid(at + std::chrono::milliseconds{1}, random) > first);
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

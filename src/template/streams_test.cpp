#include "template/streams.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace hive::templates;

TEST_CASE("a label's stream depends on label and first seed only") {
    SeededStreams one;
    SeededStreams two;
    for (int i = 0; i < 100; ++i) {
        const auto first = one.below("label", "seed", 1000);
        CHECK(one.below("other", "seed", 1000).has_value());
        // The second seed is ignored.
        CHECK(first == two.below("label", i == 0 ? "seed" : "another", 1000));
    }
    SeededStreams three;
    int same = 0;
    for (int i = 0; i < 100; ++i) {
        same += three.below("label", "x", 1000) == three.below("other", "x", 1000) ? 1 : 0;
    }
    CHECK(same < 5);
}

TEST_CASE("the numbers are those of java.util.SplittableRandom, seeded from SHA-256") {
    SeededStreams streams;
    for (const std::uint64_t expected : {899U, 626U, 628U, 452U, 524U}) {
        CHECK(streams.below("label", "seed", 1000) == expected);
    }
}

TEST_CASE("numbers stay below the bound and are spread evenly") {
    SeededStreams streams;
    std::array<int, 3> seen{};
    for (int i = 0; i < 3000; ++i) ++seen.at(*streams.below("a", "b", 3));
    for (const int count : seen) {
        CHECK(count > 850);
        CHECK(count < 1150);
    }
    for (int i = 0; i < 50; ++i) CHECK(*streams.below("a", "b", 8) < 8);
    CHECK(streams.below("a", "b", 1) == 0);
}

#include "kernel/entropy.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;

TEST_CASE("entropy fills every byte and does not repeat itself") {
    std::array<std::uint8_t, 32> a{};
    std::array<std::uint8_t, 32> b{};
    fill_from_entropy(a);
    fill_from_entropy(b);
    CHECK(a != b);
    fill_from_entropy({});
}

#include "template/sequences.hpp"

#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <vector>

using namespace hive;
using namespace hive::templates;

TEST_CASE("sequences count from 1, each on its own, and start over after a reset") {
    LocalSequences sequences;
    CHECK(sequences.next("a") == 1);
    CHECK(sequences.next("a") == 2);
    CHECK(sequences.next("b") == 1);
    CHECK(sequences.reset("a") == true);
    CHECK(sequences.reset("a") == false);
    CHECK(sequences.next("a") == 1);
}

TEST_CASE("threads that share a sequence never get the same number") {
    LocalSequences sequences;
    constexpr int each = 5000;
    std::vector<std::vector<std::uint64_t>> taken(3);
    {
        std::vector<std::jthread> threads;
        for (auto& mine : taken) {
            threads.emplace_back([&sequences, &mine] {
                for (int i = 0; i < each; ++i) mine.push_back(*sequences.next("shared"));
            });
        }
    }
    std::set<std::uint64_t> all;
    for (const auto& mine : taken) all.insert(mine.begin(), mine.end());
    CHECK(all.size() == 3 * each);
    CHECK(*all.rbegin() == 3 * each);
}

TEST_CASE("keys without end are refused") {
    LocalSequences sequences;
    for (std::size_t i = 0; i < LocalSequences::keys_max; ++i) {
        REQUIRE(sequences.next(std::to_string(i)).has_value());
    }
    CHECK(sequences.next("one more").error().code == Errc::limit);
    CHECK(sequences.next("0") == 2);
}

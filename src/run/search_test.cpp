#include "run/search.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace hive::run;

namespace {

// A system that holds up to its capacity, and has a bad moment at some tries.
struct Model {
    double capacity = 0;
    std::set<std::size_t> bad_moments{};
    std::vector<double> tried{};

    Search search(SearchOptions options = {}) {
        Search search{options};
        while (const auto rate = search.next()) {
            tried.push_back(*rate);
            REQUIRE(tried.size() <= options.steps_max);
            search.tell(*rate <= capacity && !bad_moments.contains(tried.size()));
        }
        return search;
    }
};

} // namespace

TEST_SUITE("run") {
    TEST_CASE("the highest rate is found within the precision, wherever it is") {
        for (const double capacity : {1.5, 7.0, 99.0, 100.0, 101.0, 1'234.0, 54'321.0, 999'999.0}) {
            CAPTURE(capacity);
            Model model{.capacity = capacity};
            const Search found = model.search();
            REQUIRE(found.highest_held().has_value());
            REQUIRE(found.lowest_failed().has_value());
            CHECK(*found.highest_held() <= capacity);
            CHECK(*found.lowest_failed() > capacity);
            CHECK(*found.lowest_failed() - *found.highest_held() <= *found.highest_held() * 0.11);
        }
    }

    TEST_CASE("rates double until one is too much, then the middle is tried") {
        Model model{.capacity = 300};
        model.search({.from = 100, .precision = 0.2});
        CHECK(model.tried == std::vector<double>{100, 200, 400, 400, 300, 350, 350});
    }

    TEST_CASE("one bad moment does not decide, two do") {
        Model once{.capacity = 1'000, .bad_moments = {2}};
        CHECK(once.search().highest_held().value() > 900);
        Model twice{.capacity = 1'000, .bad_moments = {2, 3}};
        const Search found = twice.search();
        CHECK(found.highest_held().value() < 200);
        CHECK(found.lowest_failed().value() <= 200);
    }

    TEST_CASE("what always holds ends at the limit, what never does at the lowest") {
        Model strong{.capacity = 1e9};
        const Search all = strong.search({.from = 100, .to = 1'000});
        CHECK(all.highest_held() == 1'000);
        CHECK(!all.lowest_failed());
        Model weak{.capacity = 0};
        const Search none = weak.search({.from = 10, .lowest = 1});
        CHECK(!none.highest_held());
        CHECK(none.lowest_failed() == 1);
    }

    TEST_CASE("a search ends after so many steps, with what it knows") {
        Model model{.capacity = 1e9};
        const Search found = model.search({.from = 1, .to = 1e12, .steps_max = 4});
        CHECK(model.tried.size() == 4);
        CHECK(found.highest_held() == 8);
    }
}

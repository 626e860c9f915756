#include "guard/share.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace hive;
using namespace hive::guard;

namespace {

double sum(const std::vector<double>& rates) {
    return std::accumulate(rates.begin(), rates.end(), 0.0);
}

} // namespace

TEST_CASE("producers share a total in proportion to what they are configured to do") {
    const std::vector<Producer> two{{.configured = 30}, {.configured = 10}};
    const auto rates = share(100, two);
    CHECK(rates[0] == doctest::Approx(75));
    CHECK(rates[1] == doctest::Approx(25));
}

TEST_CASE("what a producer cannot do the others make up for") {
    const std::vector<Producer> three{
        {.configured = 100, .max = 50}, {.configured = 100}, {.configured = 100, .min = 5}};
    const auto fast = share(350, three);
    CHECK(fast[0] == doctest::Approx(50));
    CHECK(fast[1] == doctest::Approx(150));
    CHECK(fast[2] == doctest::Approx(150));
    const auto slow = share(9, three);
    CHECK(slow[2] == doctest::Approx(5));
    CHECK(slow[0] == doctest::Approx(2));
}

TEST_CASE("producers without a configured rate are alike, and nobody shares with nobody") {
    const std::vector<Producer> idle(4);
    for (const double each : share(100, idle)) CHECK(each == doctest::Approx(25));
    CHECK(share(100, {}).empty());
}

TEST_CASE("a total beyond all bounds leaves everybody at theirs") {
    const std::vector<Producer> two{
        {.configured = 3, .min = 1, .max = 5}, {.configured = 1, .min = 2, .max = 8}};
    CHECK(sum(share(1000, two)) == doctest::Approx(13));
    CHECK(sum(share(0, two)) == doctest::Approx(3));
}

TEST_CASE("whatever the bounds allow is met, and never a bound broken") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Random random{seed};
        std::vector<Producer> producers(1 + random.below(6));
        double least = 0;
        double most = 0;
        for (Producer& each : producers) {
            each.configured = random.chance(0.1) ? 0 : random.unit() * 1000;
            each.min = random.unit() * 10;
            each.max = each.min + (random.unit() * 2000);
            least += each.min;
            most += each.configured > 0 ? each.max : each.min;
        }
        const double total = random.unit() * 6000;
        const auto rates = share(total, producers);
        for (std::size_t i = 0; i < rates.size(); ++i) {
            CHECK(rates[i] >= producers[i].min);
            CHECK(rates[i] <= producers[i].max);
        }
        if (most > least) CHECK(sum(rates) == doctest::Approx(std::clamp(total, least, most)));
    }
}

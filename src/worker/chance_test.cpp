#include "worker/chance.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive;
using hive::worker::Chance;

namespace {

Chance of_bee(std::uint64_t entropy, std::string_view instance) {
    return Chance{entropy, InstanceId::parse(instance).value()};
}

} // namespace

TEST_CASE("without a seed each life of a bee draws its own numbers") {
    const auto one = of_bee(11, "alpha-generator-1");
    CHECK(one.seed("templates") != of_bee(12, "alpha-generator-1").seed("templates"));
    CHECK(one.seed("templates") != of_bee(11, "alpha-generator-2").seed("templates"));
}

TEST_CASE("with a seed a run repeats, and replicas and uses differ from each other") {
    std::set<std::uint64_t> seeds;
    for (const char* instance : {"alpha-generator-1", "alpha-generator-2", "alpha-generator-13"}) {
        auto first = of_bee(11, instance);
        auto again = of_bee(12, instance);
        first.configure(7);
        again.configure(7);
        for (const char* use : {"templates", "schedule", "interceptors"}) {
            CHECK(first.seed(use) == again.seed(use));
            seeds.insert(first.seed(use));
        }
    }
    CHECK(seeds.size() == 9);
}

TEST_CASE("a seed of one use goes before that of the bee") {
    auto bee = of_bee(11, "alpha-generator-1");
    bee.configure(7);
    const auto own = bee.seed("schedule", 3);
    bee.configure(8);
    CHECK(bee.seed("schedule", 3) == own);
    CHECK(bee.seed("schedule") != own);
}

TEST_CASE("the first replica's templates draw from the seed itself, whatever the instance is") {
    for (const char* instance :
         {"alpha-generator-1", "mine", "alpha-x-0", "alpha-x-99999999999999999999"}) {
        auto bee = of_bee(11, instance);
        bee.configure(7);
        CHECK(bee.seed("templates") == 7);
    }
}

#include "store/migration.hpp"
#include "store/migration_0001.hpp"

#include <doctest/doctest.h>

using namespace hive::store;

TEST_CASE("migrations count from 1 without gaps and have names") {
    std::int64_t expected = 0;
    for (const auto& step : migrations()) {
        CHECK(step.version == ++expected);
        CHECK_FALSE(step.name.empty());
        CHECK_FALSE(step.statements(Engine::sqlite).empty());
    }
    CHECK(expected >= 1);
}

TEST_CASE("a released migration is what it was: databases out there remember its checksum") {
    // Do not mend these numbers; put the change into a new migration.
    CHECK(checksum_of(migration_0001, Engine::sqlite) == "8302441d9e172e78");
    CHECK(checksum_of(migration_0001, Engine::postgres) == "48d5158aad3c1b89");
}

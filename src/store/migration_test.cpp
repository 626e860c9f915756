#include "store/migration.hpp"
#include "store/migration_0001.hpp"
#include "store/migration_0002.hpp"
#include "store/migration_0003.hpp"
#include "store/migration_0004.hpp"
#include "store/migration_0005.hpp"
#include "store/migration_0006.hpp"
#include "store/migration_0007.hpp"
#include "store/migration_0008.hpp"
#include "store/migration_0009.hpp"
#include "store/migration_0010.hpp"
#include "store/migration_0011.hpp"
#include "store/migration_0012.hpp"
#include "store/migration_0013.hpp"
#include "store/migration_0014.hpp"

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
    CHECK(checksum_of(migration_0002, Engine::sqlite) == "f36bdc66ab3ffcc5");
    CHECK(checksum_of(migration_0002, Engine::postgres) == "cee559f1274a9621");
    CHECK(checksum_of(migration_0003, Engine::sqlite) == "c96050939a5464b6");
    CHECK(checksum_of(migration_0003, Engine::postgres) == "6699fe9cf7092c2e");
    CHECK(checksum_of(migration_0004, Engine::sqlite) == "028950891fb6cd63");
    CHECK(checksum_of(migration_0004, Engine::postgres) == "c15dfe7e97013414");
    CHECK(checksum_of(migration_0005, Engine::sqlite) == "4c2646ad296a19c3");
    CHECK(checksum_of(migration_0005, Engine::postgres) == "775fbc62829ab0ea");
    CHECK(checksum_of(migration_0006, Engine::sqlite) == "dc7618f2a0e1b90c");
    CHECK(checksum_of(migration_0006, Engine::postgres) == "8dd23b26d09cc341");
    CHECK(checksum_of(migration_0007, Engine::sqlite) == "76a344bbf3526324");
    CHECK(checksum_of(migration_0007, Engine::postgres) == "cc6bf720762eb042");
    CHECK(checksum_of(migration_0008, Engine::sqlite) == "02f4b9b13b5903ef");
    CHECK(checksum_of(migration_0008, Engine::postgres) == "60a9c3c90fbeb60f");
    CHECK(checksum_of(migration_0009, Engine::sqlite) == "5740ef604550ea5c");
    CHECK(checksum_of(migration_0009, Engine::postgres) == "e6de6922accd10b1");
    CHECK(checksum_of(migration_0010, Engine::sqlite) == "f6797163ccc7db9a");
    CHECK(checksum_of(migration_0010, Engine::postgres) == "d389673fb881d470");
    CHECK(checksum_of(migration_0011, Engine::sqlite) == "256380df8a45738f");
    CHECK(checksum_of(migration_0011, Engine::postgres) == "ea04ee8c17df76af");
    CHECK(checksum_of(migration_0012, Engine::sqlite) == "87428b0ff2d464d1");
    CHECK(checksum_of(migration_0012, Engine::postgres) == "2eabb5a0470277e3");
    CHECK(checksum_of(migration_0013, Engine::sqlite) == "b64753ecdfcd65ad");
    CHECK(checksum_of(migration_0013, Engine::postgres) == "52e01cc13329f611");
    CHECK(checksum_of(migration_0014, Engine::sqlite) == "d631bd87c22f400a");
    CHECK(checksum_of(migration_0014, Engine::postgres) == "5e59a0b4a67f2435");
}

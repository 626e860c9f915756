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
#include "store/migration_0015.hpp"

#include <array>

namespace hive::store {

std::span<const Migration> migrations() {
    static const std::array steps{migration_0001, migration_0002, migration_0003, migration_0004,
                                  migration_0005, migration_0006, migration_0007, migration_0008,
                                  migration_0009, migration_0010, migration_0011, migration_0012,
                                  migration_0013, migration_0014, migration_0015};
    return steps;
}

} // namespace hive::store

#include "store/migration.hpp"
#include "store/migration_0001.hpp"

#include <array>

namespace hive::store {

std::span<const Migration> migrations() {
    static const std::array steps{migration_0001};
    return steps;
}

} // namespace hive::store

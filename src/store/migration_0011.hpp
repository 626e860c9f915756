#pragma once

#include "store/migration.hpp"

namespace hive::store {

extern const Migration migration_0011;

} // namespace hive::store

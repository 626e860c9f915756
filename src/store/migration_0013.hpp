#pragma once

#include "store/migration.hpp"

namespace hive::store {

extern const Migration migration_0013;

} // namespace hive::store

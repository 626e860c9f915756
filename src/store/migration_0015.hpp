#pragma once

#include "store/migration.hpp"

namespace hive::store {

extern const Migration migration_0015;

} // namespace hive::store

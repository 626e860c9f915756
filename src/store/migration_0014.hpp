#pragma once

#include "store/migration.hpp"

namespace hive::store {

extern const Migration migration_0014;

} // namespace hive::store

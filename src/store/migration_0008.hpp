#pragma once

#include "store/migration.hpp"

namespace hive::store {

extern const Migration migration_0008;

} // namespace hive::store

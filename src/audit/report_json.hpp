#pragma once

#include "audit/verifier.hpp"
#include "kernel/json.hpp"

namespace hive::audit {

// What the API answers and `hive audit verify --json` prints.
json::object to_json(const Report& report);

} // namespace hive::audit

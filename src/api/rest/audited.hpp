#pragma once

#include "kernel/json.hpp"

namespace hive::rest {

// What somebody sent, as far as an audit entry has room for it: too large or too deep, it is left
// out and said so, rather than the change refused.
json::object audited(const json::object& value);

} // namespace hive::rest

#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string_view>

namespace hive::wire {

// parse_json() that gives back every number as it was written: boost::json may miss a double by one
// unit in the last place, so a value would drift each time it is passed on. A whole double becomes
// an integer, since JSON has one kind of number; integers beyond 64 bits are refused.
Result<json::value> parse_exact_json(std::string_view text, JsonLimits limits);

} // namespace hive::wire

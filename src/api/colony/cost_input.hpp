#pragma once

#include "colony/costs/booking.hpp"
#include "kernel/json.hpp"

namespace hive::rest {

// Bodies of requests about costs, which their schemas have checked. A record may use our names, or
// the attribute names of OpenTelemetry for generative AI, where input and output include the rest.
Result<colony::costs::NewUsage> usage_in(const json::object& body);
Result<colony::costs::Price> price_in(const json::object& body, Timestamp now);
// Money that says no currency is the hive's.
Result<colony::costs::Budget> budget_in(const json::object& body, const std::string& currency);

} // namespace hive::rest

#pragma once

#include "api/call.hpp"
#include "api/problem.hpp"
#include "api/route.hpp"

#include <optional>

namespace hive::api {

// Reads the query by the route's declarations, all problems at once; an unknown parameter is one.
std::optional<Problem> read_query(CallState& state);

// Takes the key where the route accepts one; a malformed or missing one is a problem.
std::optional<Problem> read_idempotency_key(CallState& state);

// Parses the body and checks it against the route's schema. A body where none is declared is
// refused, and so is one of another media type.
std::optional<Problem> read_body(CallState& state, const json::object& schemas);

} // namespace hive::api

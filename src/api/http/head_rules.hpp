#pragma once

#include "api/http/limits.hpp"
#include "api/http/refusal.hpp"
#include "api/http/request.hpp"

#include <optional>

namespace hive::http {

// What must hold between the fields of a head: one Host, one way to tell the length of the body, a
// target in origin form or an absolute one that names the same host. Also splits the target into
// path and query.
std::optional<Refusal> check_head(Request& request, const Limits& limits);

} // namespace hive::http

#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::api {

// The header is a quoted string (draft-ietf-httpapi-idempotency-key); bare words are taken as well.
// 1 to 128 printable characters.
Result<std::string> parse_idempotency_key(std::string_view header);

} // namespace hive::api

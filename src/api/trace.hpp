#pragma once

#include "api/http/request.hpp"
#include "kernel/random.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::api {

// Where a request belongs: our id of it, and the trace of its caller (W3C Trace Context).
struct Trace {
    std::string request_id;
    std::string trace_id{};  // 32 hexadecimal digits; empty when the caller sent no traceparent
    std::string parent_id{}; // 16
    bool sampled = false;
};

// A caller's X-Request-Id is kept when it is harmless: up to 64 letters, digits, dots, dashes and
// underscores. Anything else is replaced.
Trace trace_of(const http::Request& request, Random& random);

} // namespace hive::api

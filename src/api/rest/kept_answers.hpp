#pragma once

#include "api/call.hpp"
#include "api/problem.hpp"
#include "kernel/id.hpp"
#include "store/idempotency.hpp"

#include <optional>
#include <string_view>

namespace hive::rest {

// What a request with an Idempotency-Key claims; none when there is no key. `target`: what of the
// request line must be the same for it to be the same request.
std::optional<store::KeyedRequest>
keyed_request(const api::Call& call, const HiveId& hive, std::string_view target);

store::Answer to_kept(const http::Response& response);
http::Response replayed(const store::Answer& kept);

api::Problem key_in_flight();
api::Problem key_of_another();

} // namespace hive::rest

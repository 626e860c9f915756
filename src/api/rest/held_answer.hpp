#pragma once

#include "api/route.hpp"

#include <string>

namespace hive::rest {

// 202: a rule held the act back, and this approval is what it waits for.
http::Response held_response(const std::string& approval);
api::Answer held_answer();

json::object held_schema(); // of `ApprovalNeeded`
json::object example_held();

} // namespace hive::rest

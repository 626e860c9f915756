#pragma once

#include "colony/approvals/asking.hpp"
#include "colony/approvals/rule.hpp"
#include "kernel/json.hpp"

namespace hive::rest {

// Bodies of requests about approvals, which their schemas have checked.
Result<colony::approvals::Rule> rule_in(const json::object& body);
std::vector<colony::approvals::Evidence> evidence_in(const json::object& body);
Result<colony::approvals::NewApproval> question_in(const json::object& body);

} // namespace hive::rest

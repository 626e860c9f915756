#pragma once

#include "api/problem.hpp"
#include "kernel/json.hpp"
#include "scenario/compile.hpp"
#include "scenario/shelf.hpp"

#include <string>
#include <vector>

namespace hive::rest {

std::string etag_of(const scenario::Stored& stored);

json::object scenario_summary(const scenario::Stored& stored);
// With its files, what was understood of them and all that is wrong.
json::object scenario_details(const scenario::Stored& stored);

// What a validation answers.
json::object judgement_json(const std::vector<Finding>& findings);

// 422 with the findings; what stands in the way is told as `errors` too, by file and line.
api::Problem not_sound(const std::vector<Finding>& findings);

// `sut`, `profile`, `endpoints` and `set` of a request; a setting's value is any JSON.
scenario::Choices choices_in(const json::object& body);

} // namespace hive::rest

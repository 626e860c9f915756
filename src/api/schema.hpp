#pragma once

#include "api/problem.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <vector>

namespace hive::api {

// The part of JSON Schema 2020-12 that our routes use: type, enum, const, properties, required,
// additionalProperties, minProperties, maxProperties, items, minItems, maxItems, minLength,
// maxLength, minimum, maximum, oneOf, anyOf, $ref to #/components/schemas/..., and annotations.
// `pattern` and `format` are documentation: the types behind the routes check those.
//
// check_schema() refuses every other keyword, so that nothing is written down and then ignored;
// check_components() does so for what the others refer to, which is the same for all routes.
Status check_components(const json::object& components);
Status check_schema(const json::value& schema, const json::object& components);

// Everything that is wrong with `value`, up to 32 places.
std::vector<FieldProblem>
validate(const json::value& schema, const json::value& value, const json::object& components);

} // namespace hive::api

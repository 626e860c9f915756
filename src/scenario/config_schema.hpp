#pragma once

#include "kernel/json.hpp"
#include "scenario/catalog.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::scenario {

// Parts of schema_of().

// What a scalar may be. A value may be given by a variable, an endpoint or a secret unless said
// otherwise: `{{ vars.rate }}`, `{env:TOKEN}`.
json::object number_schema(std::optional<double> lowest, std::optional<double> highest);
json::object whole_schema(std::optional<double> lowest, std::optional<double> highest);
json::object flag_schema();
json::object text_schema();
json::object id_schema();
json::object duration_schema();
json::object words_schema(const std::vector<std::string>& words);

json::object described(json::object schema, std::string_view help);

// An object with these members and no others; a name that ends in `!` is required.
using Shape = std::initializer_list<std::pair<std::string_view, json::object>>;
json::object object_schema(Shape members);
json::object list_schema(json::object items);
json::object map_schema(json::object values);

// An object with these fields.
json::object fields_schema(std::span<const FieldInfo> fields);
// The same where every value has to be written out: no variable, endpoint or secret gives it.
json::object literal_fields_schema(std::span<const FieldInfo> fields);

// `config` of a kind of bee.
json::object config_schema(const Capability& capability);

} // namespace hive::scenario

#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hive::rest {

// The schemas that routes refer to as `#/components/schemas/<name>`.
json::object component_schemas();

json::object ref(std::string_view name);
json::object list_of(std::string_view name); // {"items": [<name>], "next": cursor?}

// A closed object; names that end in `?` are optional.
using Properties = std::initializer_list<std::pair<std::string_view, json::object>>;
json::object closed_object(Properties properties);

json::object text_schema(std::size_t max = 255);
json::object time_schema();
json::object integer_schema(std::int64_t min = 0);
json::object words_schema(std::initializer_list<std::string_view> words);

// `name` only when there is a time.
void put_time(json::object& out, std::string_view name, const std::optional<Timestamp>& time);

} // namespace hive::rest

#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hive::api {

enum class ParameterKind : std::uint8_t { id, uuid, integer, text, flag };

// Bounds of an integer, or of the length of a text in bytes.
struct Range {
    std::int64_t min = 0;
    std::int64_t max = 256;
};

using ParameterValue = std::variant<std::monostate, std::int64_t, bool, std::string>;

struct QueryParameter {
    std::string name;
    ParameterKind kind = ParameterKind::text;
    std::string description{};
    Range range{};
    bool required = false;
    ParameterValue fallback{}; // what an absent parameter counts as
};

// Checks a decoded value; the error names the parameter and the rule.
Result<ParameterValue> parse_parameter(const QueryParameter& parameter, std::string_view text);
Status check_path_parameter(ParameterKind kind, std::string_view name, std::string_view text);

json::object schema_of(ParameterKind kind, Range range);

// Percent-decoding; a plus stays a plus in paths and is a space in queries. Refuses broken escapes,
// control characters and bytes that are not UTF-8.
Result<std::string> decode_path_segment(std::string_view text);
Result<std::string> decode_query_text(std::string_view text);

} // namespace hive::api

#pragma once

#include "kernel/result.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hive {

namespace json = boost::json;

// Bounds on a document from outside; both are checked while reading, not after.
struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 20U;
    std::size_t depth = 32;
};

// Strict JSON in valid UTF-8; of duplicate keys the last wins. The error says at which byte reading
// stopped and why.
Result<json::value> parse_json(std::string_view text, JsonLimits limits = {});

// Compact; numbers that are whole print without exponent, unlike boost::json's own writer.
std::string to_text(const json::value& value);
void append_json(std::string& out, const json::value& value);
void append_json_string(std::string& out, std::string_view text); // quoted and escaped

// Objects merge key by key; anything else in `patch` replaces; null removes (RFC 7396).
void merge_patch(json::value& target, const json::value& patch);

} // namespace hive

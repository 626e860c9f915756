#pragma once

#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hive::rest {

// Members of a body that its schema has checked; absent ones are empty.
std::string text_of(const json::object& body, std::string_view name);
colony::Words words_of(const json::object& body, std::string_view name);
json::object object_of(const json::object& body, std::string_view name);
std::optional<std::int64_t> integer_of(const json::object& body, std::string_view name);

// Times and spans have rules that a schema cannot say; the error names the member.
Result<std::optional<Timestamp>> time_of(const json::object& body, std::string_view name);
Result<std::optional<Duration>> span_of(const json::object& body, std::string_view name);

// Words that people type: no control characters, not empty.
Status check_words(const colony::Words& words, std::string_view name);

} // namespace hive::rest

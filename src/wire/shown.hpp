#pragma once

#include <string>
#include <string_view>

namespace hive::wire {

// Hostile text may be long or unprintable; an error message must be neither. In single quotes.
std::string in_quotes(std::string_view text);

} // namespace hive::wire

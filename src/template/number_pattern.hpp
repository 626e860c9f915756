#pragma once

#include "kernel/result.hpp"
#include "template/value.hpp"

#include <string>
#include <string_view>

namespace hive::templates {

// A number through a pattern of Java's DecimalFormat: `#,##0.00`, with text before and behind it.
// Only whole groups of three, no exponents, no percent.
Status append_formatted(std::string& out, const Value& number, std::string_view pattern);

} // namespace hive::templates

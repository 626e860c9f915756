#pragma once

#include <string>
#include <string_view>

namespace hive::report {

// Text from outside made safe in HTML and XML, between tags and in quotes: what is not a character
// there appears as an escape for people, and an endless text ends.
std::string escaped(std::string_view text);

} // namespace hive::report

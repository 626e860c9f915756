#pragma once

#include <string>
#include <string_view>

namespace hive::tests {

// Where things are. Functions of one object file instead of macros on every command line: what a
// clone compiled can then be used by the next one, wherever that lies.
std::string in_source(std::string_view path); // empty: the root of the project
std::string in_build(std::string_view path);
std::string hive_program();

} // namespace hive::tests

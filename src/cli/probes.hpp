#pragma once

#include "cli/check.hpp"
#include "kernel/clock.hpp"
#include "kernel/config_type.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hive::cli {

// Each looks at one thing, changes nothing that stays, and ends before its deadline.

std::vector<Check> check_machine();                  // processors, memory, open files
Check check_data_directory(const std::string& path); // exists or can be made, writable, room
Check check_port(const std::string& listen, std::uint16_t port);
Check check_broker(const std::optional<Url>& url, Duration within);
Check check_store(const std::optional<Url>& url, const std::string& data, Duration within);
// Processes of components in that data directory, and whether a server looks after them.
std::vector<Check> check_components(const std::string& data, bool store_is_elsewhere);
// `env` finds PATH.
std::vector<Check>
check_tools(const std::function<std::optional<std::string>(const std::string&)>& env);

} // namespace hive::cli

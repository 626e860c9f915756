#pragma once

#include "api/mcp/tool.hpp"

#include <string_view>
#include <vector>

namespace hive::mcp {

using Catalog = std::vector<Tool>;

// ready, claim, progress, complete, fail, ask, inbox, send, approvals.
const Catalog& catalog();
const Tool* find_tool(std::string_view name);

// As `tools/list` shows it.
json::object to_json(const Tool& tool);

// The parts of it.
std::vector<Tool> task_tools();
std::vector<Tool> talk_tools();

// Closed; names that end in `?` are optional.
using Members = std::vector<std::pair<std::string_view, json::object>>;
json::object arguments(const Members& members);
// Open, with these members at least.
json::object result(const Members& members);
json::object text(std::string_view description, std::size_t most = 255);
json::object texts(std::string_view description);
json::object number(std::string_view description, std::int64_t least, std::int64_t most);
json::object truth(std::string_view description);
json::object list_of_objects();
json::object some_object();

std::string encoded(std::string_view text); // as one part of a path or query
// Members of arguments that their schema has checked.
std::string text_in(const json::object& arguments, std::string_view name);
// Those of `names` that are there, as `to` calls them: {"lease", "leaseFor"}.
using Renamed = std::vector<std::pair<std::string_view, std::string_view>>;
json::object picked(const json::object& arguments, const Renamed& names);

} // namespace hive::mcp

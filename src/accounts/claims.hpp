#pragma once

#include "kernel/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::accounts {

// Reading documents of identity providers: whatever is missing or of another kind counts as empty,
// and the rule that needs it then refuses.
std::string text_at(const json::object& object, std::string_view name);
// One text or a list of them.
std::vector<std::string> texts_at(const json::object& object, std::string_view name);
// `true`; some providers write it as a text.
bool is_true_at(const json::object& object, std::string_view name);

} // namespace hive::accounts

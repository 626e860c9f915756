#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

// What the first clients call a channel, as patterns of our topics: `general` is its messages,
// `task:TASK-009` and `bee:BEE-001` are the messages there and what happens to that task or bee.
Result<std::vector<std::string>> topics_of_channel(std::string_view channel);

} // namespace hive::api

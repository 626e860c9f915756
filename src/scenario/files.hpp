#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hive::scenario {

// A setting that names something of the bundle.
struct FileSetting {
    std::string_view path; // in the configuration
    bool is_folder = false;
};
std::span<const FileSetting> file_settings();

// The text at a dotted path; null when there is none.
json::string* text_at(json::object& config, std::string_view path);

// The path within the bundle, whether it is written relative to it or as the public product mounts
// it. Errc::invalid when it leads out of the bundle.
Result<std::string> path_within(std::string_view written);

} // namespace hive::scenario

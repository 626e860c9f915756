#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hive::scenario {

// The files of a bundle by their path in it.
using Files = std::map<std::string, std::string, std::less<>>;

inline constexpr std::size_t file_name_max = 150; // so that every tar can hold it

// A path that stays within its bundle and that every system can have: `templates/http/login.yaml`.
// No links, no `..`, nothing hidden, no control characters, not more than twelve parts.
Status check_file_name(std::string_view path);

// One of a repository or an editor, such as `.git/config`: no part of a scenario.
bool is_hidden(std::string_view path);

// Bounds of what comes from elsewhere; Errc::invalid or Errc::limit names the file.
Status check_files(const Files& files);

} // namespace hive::scenario

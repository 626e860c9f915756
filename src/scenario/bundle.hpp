#pragma once

#include "kernel/finding.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// The files of a scenario, read. All that follows looks at these and nothing else.
struct Bundle {
    std::string root{};  // absolute; empty for a single file
    std::string shown{}; // the path as given, which findings begin with
    std::string main{};  // the scenario's own file, a key of `texts`
    std::map<std::string, std::string, std::less<>> texts{}; // YAML and JSON, by relative path
    std::map<std::string, std::size_t, std::less<>> sizes{}; // every file in bytes
    std::vector<Finding> findings{};

    bool has_folder(std::string_view path) const;
    std::string name_of(std::string_view path) const; // for findings
};

inline constexpr std::size_t bundle_files_max = 5'000;
inline constexpr std::size_t bundle_file_bytes_max = std::size_t{1} << 20U; // of what is parsed
inline constexpr std::size_t bundle_bytes_max = std::size_t{32} << 20U;     // of it all together

// A folder with `scenario.yaml` in it, or one file. Nothing outside the folder is ever read: a link
// that leads out of it is a finding.
Bundle read_bundle(const std::string& path);
// The same for a folder whose own place is nobody's business: findings name its files alone.
Bundle read_bundle_inside(const std::string& folder);

// What is parsed of a bundle; everything else is only known by its size.
bool is_parsed_file(std::string_view path);

// For texts that are not on a disk.
Bundle single_file(std::string name, std::string text);

} // namespace hive::scenario

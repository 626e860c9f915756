#pragma once

#include "kernel/result.hpp"
#include "scenario/file_names.hpp"

#include <string>
#include <string_view>

namespace hive::scenario {

// A bundle as one tar archive (ustar, as POSIX has it). Only what a bundle can be: files by checked
// names, bounded in number and size. Folders follow from the names and hidden files are left out;
// a link, a device or a name that leads out of the bundle refuses the whole.
Result<Files> read_tar(std::string_view archive);

// Errc::invalid when a name is too long for the format.
Result<std::string> write_tar(const Files& files);

// `tar cf hello.tar hello` puts a folder around everything: without it.
Files without_top_folder(Files files);

} // namespace hive::scenario

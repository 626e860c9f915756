#pragma once

#include <string>

namespace hive::cli {

std::string version(); // "0.1.0"

// For --version: version, commit when built from a checkout, compiler and libraries.
std::string version_text();

} // namespace hive::cli

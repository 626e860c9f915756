#pragma once

#include "cli/host.hpp"
#include "importer/draft.hpp"
#include "kernel/result.hpp"

#include <string>

namespace hive::cli {

// Writes a new bundle into a folder, which is made where it is missing. Errc::conflict when a file
// of it is there already, unless that is to be replaced; then nothing is written.
Status write_bundle(const std::string& folder, const importer::Files& files, bool replace);

// Says what was written, whether it validates and what to type next; answers the exit code.
int tell_new_bundle(Host& host, const std::string& folder, const importer::Files& files);

// The last part of the path, fit to be the id of a scenario.
std::string scenario_id_of(const std::string& folder);

} // namespace hive::cli

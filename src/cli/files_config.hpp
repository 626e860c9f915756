#pragma once

#include "api/colony/sync_options.hpp"
#include "kernel/config.hpp"

#include <optional>

namespace hive::cli {

// Which directory of files is kept in step with the colony, and how.
struct FilesConfig {
    std::optional<DirectoryPath> root{}; // none: `.deia` beside `hive up`, else nothing
    rest::SyncOptions sync{};
};
void declare_files_options(OptionTable& table, FilesConfig& config);

} // namespace hive::cli

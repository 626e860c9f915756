#pragma once

#include "api/colony/file_sync.hpp"
#include "cli/files_config.hpp"
#include "colony/files/git/git_history.hpp"
#include "colony/files/posix/inotify_watch.hpp"
#include "colony/files/posix/posix_tree.hpp"

#include <memory>

namespace hive::cli {

// A directory of files on this machine, and what keeps it in step with the colony.
struct RunningFiles {
    struct Place {
        HiveId hive;
        const Clock& clock;
        Logger log;
    };
    static Result<std::unique_ptr<RunningFiles>>
    open(const FilesConfig& config, const Place& place, rest::ColonyParts& colony);

    std::unique_ptr<colony::files::posix::PosixTree> tree;
    std::unique_ptr<colony::files::posix::InotifyWatch> watch;
    std::unique_ptr<colony::files::git::GitHistory> history;
    std::unique_ptr<rest::FileSync> sync; // uses all of them
};

} // namespace hive::cli

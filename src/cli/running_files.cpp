#include "cli/running_files.hpp"

namespace hive::cli {

using namespace colony::files::posix;

Result<std::unique_ptr<RunningFiles>>
RunningFiles::open(const FilesConfig& config, const Place& place, rest::ColonyParts& colony) {
    auto files = std::make_unique<RunningFiles>();
    auto tree = PosixTree::open(config.root->text);
    if (!tree) return fail(Errc::invalid, "colony.files.root: " + tree.error().detail);
    files->tree = std::move(*tree);
    if (auto watch = InotifyWatch::open(files->tree->root())) {
        files->watch = std::move(*watch);
    } else {
        place.log.warn(
            "files are only looked at from time to time", {{"reason", watch.error().detail}});
    }
    files->history = std::make_unique<colony::files::git::GitHistory>(
        files->tree->root(), place.log.for_area("files"));
    auto sync = rest::FileSync::make(
        config.sync,
        {.tree = *files->tree,
         .watch = files->watch.get(),
         .history = files->history.get(),
         .clock = place.clock,
         .log = place.log.for_area("files"),
         .root = files->tree->root()},
        place.hive, colony);
    if (!sync) return fail(sync.error());
    files->sync = std::move(*sync);
    colony.files = files->sync.get();
    return files;
}

} // namespace hive::cli

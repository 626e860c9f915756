#include "tests/system/files_scene.hpp"

namespace hive::test {

using namespace colony::files::posix;

FilesScene::FilesScene(rest::SyncOptions options, std::string root, Listening listening)
    : files{root.empty() ? scratch.path() / ".deia" : std::filesystem::path{root}} {
    tree = std::make_unique<TappedTree>(PosixTree::open(files.root().string()).value());
    if (listening == Listening::yes)
        watch = std::make_unique<TappedWatch>(InotifyWatch::open(files.root().string()).value());
    history = std::make_unique<colony::files::git::GitHistory>(files.root().string(), std::nullopt);
    colony = std::make_unique<ColonyUnderTest>(
        rest::ColonyPolicy{}, nullptr, [&](rest::ColonyParts& parts) {
            sync = rest::FileSync::make(
                       options,
                       {.tree = *tree,
                        .watch = watch.get(),
                        .history = history.get(),
                        .clock = clock,
                        .log = Logger{log, clock, levels, "files"},
                        .root = files.root().string()},
                       HiveId::parse("main").value(), parts)
                       .value();
            parts.files = sync.get();
        });
    sync->start();
}

FilesScene::~FilesScene() {
    sync->stop();
}

void FilesScene::write_task(
    const std::string& path, const std::string& title, const std::string& more) {
    files.write(path, "# " + title + "\n\n**From:** Q33N\n" + more + "\n---\n\nPlease.\n");
}

json::value FilesScene::task(const std::string& ref) {
    const auto answer = colony->hive().get("/api/v1/tasks/" + ref, colony->person().headers);
    return answer.status == 200 ? parsed(answer.body) : json::value{};
}

std::string FilesScene::state(const std::string& ref) {
    const auto found = task(ref);
    return found.is_null() ? std::string{"none"} : text_at(found, "/state");
}

std::string FilesScene::title(const std::string& ref) {
    const auto found = task(ref);
    return found.is_null() ? std::string{} : text_at(found, "/title");
}

bool FilesScene::becomes(const std::string& ref, const std::string& wanted) {
    const bool did = eventually([&] { return state(ref) == wanted; });
    if (!did) MESSAGE(ref, " is ", state(ref), ", not ", wanted);
    return did;
}

std::string FilesScene::file_of(const std::string& ref) {
    std::string found;
    for (const auto& path : files.find("hive/tasks")) {
        const auto text = files.read(path);
        const bool has = text.find("ref: \"" + ref + "\"\n") != text.npos ||
                         path.find("/" + ref + ".md") != path.npos;
        if (has && !found.empty()) return "two: " + found + " " + path;
        if (has) found = path;
    }
    return found;
}

std::vector<audit::Entry> FilesScene::audited(std::string_view action) {
    std::vector<audit::Entry> entries = colony->hive().audit_entries();
    std::erase_if(entries, [&](const audit::Entry& entry) { return entry.action != action; });
    return entries;
}

json::value FilesScene::status() {
    return colony->person().get("/api/v1/sync/status");
}

void FilesScene::settle() {
    REQUIRE(eventually([&] {
        const auto pull = colony->person().post("/api/v1/sync/pull");
        const auto push = colony->person().post("/api/v1/sync/push");
        return pull.at("changed").as_int64() == 0 && push.at("changed").as_int64() == 0 &&
               status().at("waiting").as_int64() == 0;
    }));
}

} // namespace hive::test

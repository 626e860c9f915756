#pragma once

#include "api/colony/file_sync.hpp"
#include "colony/files/git/git_history.hpp"
#include "colony/files/posix/inotify_watch.hpp"
#include "colony/files/posix/posix_tree.hpp"
#include "tests/system/colony_scene.hpp"
#include "tests/system/files_directory.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hive::test {

// Tells a test what the hive has just heard, before the hive does something about it.
class TappedWatch final : public colony::files::Watch {
public:
    explicit TappedWatch(std::unique_ptr<colony::files::Watch> from) : from_{std::move(from)} {}

    Result<colony::files::Notice> wait(Duration within) override {
        auto notice = from_->wait(within);
        if (notice && heard) heard(*notice);
        return notice;
    }
    void wake() override { from_->wake(); }

    std::function<void(const colony::files::Notice&)> heard{}; // set while nobody listens

private:
    std::unique_ptr<colony::files::Watch> from_;
};

// Tells a test what the hive has just read.
class TappedTree final : public colony::files::Tree {
public:
    explicit TappedTree(std::unique_ptr<colony::files::Tree> of) : of_{std::move(of)} {}

    Result<colony::files::Listing> list() override { return of_->list(); }
    Result<colony::files::Entry> look(std::string_view path) override { return of_->look(path); }
    Result<std::string> read(std::string_view path) override {
        auto bytes = of_->read(path);
        if (bytes && has_read) has_read(path);
        return bytes;
    }
    Result<std::optional<std::string>>
    put(std::string_view path, std::string_view bytes, Mode mode) override {
        return of_->put(path, bytes, mode);
    }
    Status move(std::string_view from, std::string_view to) override { return of_->move(from, to); }
    Status append(std::string_view path, std::string_view text) override {
        return of_->append(path, text);
    }
    Status remove(std::string_view path) override { return of_->remove(path); }

    std::function<void(std::string_view path)> has_read{}; // set while nobody reads

private:
    std::unique_ptr<colony::files::Tree> of_;
};

// A hive whose colony is kept in step with a directory.
class FilesScene {
public:
    enum class Listening : bool { no, yes }; // no: files are looked at when somebody asks
    // `root`: an existing `.deia`, for a hive that lost its memory; empty: a new one.
    explicit FilesScene(
        rest::SyncOptions options = {}, std::string root = "",
        Listening listening = Listening::yes);
    ~FilesScene();

    // A file with bold headers, as people write them.
    void
    write_task(const std::string& path, const std::string& title, const std::string& more = "");
    json::value task(const std::string& ref); // null while there is none
    std::string state(const std::string& ref);
    std::string title(const std::string& ref); // empty: there is no such task yet
    bool becomes(const std::string& ref, const std::string& wanted);
    std::string file_of(const std::string& ref); // the only file that has it; empty: none
    std::vector<audit::Entry> audited(std::string_view action);
    json::value status();
    void settle(); // both ways, until nothing is left to do

    hive::tests::ScratchDirectory scratch;
    Directory files;
    SystemClock clock;
    std::unique_ptr<TappedTree> tree;
    std::unique_ptr<TappedWatch> watch;
    std::unique_ptr<colony::files::git::GitHistory> history;
    std::unique_ptr<rest::FileSync> sync;
    std::unique_ptr<ColonyUnderTest> colony;
    LogCapture log;
    LogLevels levels;
};

} // namespace hive::test

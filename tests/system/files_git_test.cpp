// Files that say no time, in a work tree of the real git.
#include "kernel/timestamp.hpp"
#include "tests/support/child_process.hpp"
#include "tests/system/files_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::test;
using namespace hive::colony::files::git;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// A repository with a `.deia` in it. Commits have the time they are given.
class Repository {
public:
    Repository() {
        fs::create_directories(root());
        git({"init", "--quiet", "--initial-branch=main"});
    }
    std::string root() const { return scratch_.path() / ".deia"; }
    void write(const std::string& path, std::string_view text) const {
        const fs::path whole = fs::path{root()} / path;
        fs::create_directories(whole.parent_path());
        std::ofstream{whole} << text;
    }
    void git(std::vector<std::string> words, const std::string& at = "") const {
        words.insert(words.begin(), {"git", "-C", scratch_.path().string()});
        const auto done = hive::tests::run(
            {.argv = std::move(words),
             .environment =
                 {{"GIT_AUTHOR_NAME", "n"},
                  {"GIT_AUTHOR_EMAIL", "e"},
                  {"GIT_COMMITTER_NAME", "n"},
                  {"GIT_COMMITTER_EMAIL", "e"},
                  {"GIT_CONFIG_GLOBAL", "/dev/null"},
                  {"GIT_COMMITTER_DATE", at}}},
            60s);
        REQUIRE_MESSAGE(done.exit_code == 0, done.output);
    }
    void commit(const std::string& at) const {
        git({"add", "--all"}, at);
        git({"commit", "--quiet", "--message", "m"}, at);
    }

private:
    hive::tests::ScratchDirectory scratch_;
};

std::string time_of(GitHistory& history, std::string_view path) {
    const auto found = history.committed(path);
    return found ? format_timestamp(*found) : std::string{"never"};
}

} // namespace

TEST_CASE("a file is as old as its first commit, also where it was moved to, on any branch") {
    const Repository repository;
    GitHistory history{repository.root(), std::nullopt};
    repository.write("hive/tasks/a.md", "a");
    repository.write("hive/tasks/caf\xc3\xa9 and more.md", "b");
    CHECK(time_of(history, "hive/tasks/a.md") == "never");
    repository.commit("2025-01-01T00:00:00Z");
    CHECK(time_of(history, "hive/tasks/a.md") == "2025-01-01T00:00:00Z");
    CHECK(time_of(history, "hive/tasks/caf\xc3\xa9 and more.md") == "2025-01-01T00:00:00Z");
    repository.write("hive/tasks/a.md", "changed");
    repository.commit("2025-01-02T00:00:00Z");
    CHECK(time_of(history, "hive/tasks/a.md") == "2025-01-01T00:00:00Z");
    fs::create_directories(repository.root() + "/hive/tasks/_archive");
    repository.git({"mv", ".deia/hive/tasks/a.md", ".deia/hive/tasks/_archive/a.md"});
    repository.commit("2025-01-03T00:00:00Z");
    CHECK(time_of(history, "hive/tasks/_archive/a.md") == "2025-01-01T00:00:00Z");
    repository.git({"checkout", "--quiet", "-b", "side"});
    repository.write("hive/tasks/side.md", "s");
    repository.commit("2025-01-04T00:00:00Z");
    repository.git({"checkout", "--quiet", "main"});
    CHECK(time_of(history, "hive/tasks/side.md") == "2025-01-04T00:00:00Z");
    CHECK(time_of(history, "hive/tasks/nowhere.md") == "never");
}

TEST_CASE(
    "without a work tree, or with one that git cannot read, nothing is known and all is well") {
    const hive::tests::ScratchDirectory scratch;
    GitHistory alone{scratch.path().string(), std::nullopt};
    CHECK(time_of(alone, "a.md") == "never");
    fs::create_directories(scratch.path() / ".git");
    std::ofstream{scratch.path() / ".git/HEAD"} << "nonsense";
    CHECK(time_of(alone, "a.md") == "never");
    CHECK(first_commits(scratch.path().string(), 10s).error().code == Errc::unavailable);
    CHECK(first_commits("/nowhere", 10s).error().code == Errc::unavailable);
}

TEST_CASE("a task whose file says no time is as old as its first commit") {
    const Repository repository;
    repository.write("hive/tasks/old.md", "# Old\n\n**From:** Q33N\n\nSince long.\n");
    repository.write("hive/tasks/dated.md", "# Dated\n\n**Date:** 2024-03-01\n");
    repository.commit("2025-01-01T00:00:00Z");
    FilesScene scene{{}, repository.root()};
    REQUIRE(scene.becomes("old", "pending"));
    CHECK(text_at(scene.task("old"), "/createdAt") == "2025-01-01T00:00:00Z");
    CHECK(text_at(scene.task("dated"), "/createdAt") == "2024-03-01T00:00:00Z");
    scene.write_task("hive/tasks/new.md", "New"); // not committed yet
    REQUIRE(scene.becomes("new", "pending"));
    CHECK(text_at(scene.task("new"), "/createdAt") > "2025-06-01T00:00:00Z");
}

TEST_CASE("git switches to another branch and back under the watch: tasks stay, none is ended") {
    const Repository repository;
    const auto fill = [&](const std::string& branch) {
        for (int i = 0; i < 200; ++i) {
            repository.write(
                fmt::format("hive/tasks/{}/deep/{}-{}.md", branch, branch, i),
                fmt::format("# {} {}\n\n**From:** Q33N\n\nPlease.\n", branch, i));
        }
    };
    repository.write("hive/tasks/both.md", "# Both\n");
    fill("main");
    repository.commit("2025-01-01T00:00:00Z");
    repository.git({"checkout", "--quiet", "-b", "side"});
    fs::remove_all(repository.root() + "/hive/tasks/main");
    fill("side");
    repository.write("hive/tasks/both.md", "# Both, but another title\n");
    repository.commit("2025-01-02T00:00:00Z");
    repository.git({"checkout", "--quiet", "main"});
    FilesScene scene{{.scan_every = std::chrono::hours{1}}, repository.root()};
    const auto pending = [&] {
        const auto counts = scene.colony->person().get("/api/v1/tasks/counts");
        return counts.at("pending").to_number<int>();
    };
    REQUIRE(eventually([&] { return pending() == 201; }));
    repository.git({"checkout", "--quiet", "side"});
    REQUIRE(eventually([&] { return pending() == 401; }));
    CHECK(eventually([&] { return scene.title("both") == "Both, but another title"; }));
    repository.git({"checkout", "--quiet", "main"});
    CHECK(eventually([&] { return scene.title("both") == "Both"; }));
    scene.settle();
    CHECK(pending() == 401);
    CHECK(scene.audited("sync.conflict").empty());
}

#include "colony/files/posix/inotify_watch.hpp"
#include "colony/files/posix/posix_tree.hpp"
#include "tests/support/inotify_flood.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::colony::files;
using namespace hive::colony::files::posix;
namespace fs = std::filesystem;

namespace {

class Scene {
public:
    Scene() {
        fs::create_directories(root / "hive/tasks/BOT-002");
        tree = PosixTree::open(root.string()).value();
    }
    void write(const std::string& path, std::string_view text) const {
        fs::create_directories((root / path).parent_path());
        std::ofstream{root / path} << text;
    }
    std::vector<std::string> listed() const {
        std::vector<std::string> paths;
        const Listing listing = tree->list().value();
        for (const auto& entry : listing.files) paths.push_back(entry.path);
        return paths;
    }

    hive::tests::ScratchDirectory scratch;
    fs::path root = scratch.path() / ".deia";
    std::unique_ptr<PosixTree> tree;
};

// All that is told until the path is, or nothing for long.
Notice heard_until(Watch& watch, const std::string& path) {
    Notice all;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (std::chrono::steady_clock::now() < end) {
        auto notice = watch.wait(std::chrono::milliseconds{200}).value();
        all.everything = all.everything || notice.everything;
        std::ranges::move(notice.paths, std::back_inserter(all.paths));
        if (all.everything || std::ranges::find(all.paths, path) != all.paths.end()) return all;
    }
    return all;
}

} // namespace

TEST_CASE("a file is written whole, and what stood there comes back") {
    Scene scene;
    CHECK_FALSE(scene.tree->put("hive/tasks/new/deep/a.md", "one", Tree::Mode::create).value());
    CHECK(scene.tree->read("hive/tasks/new/deep/a.md").value() == "one");
    CHECK(scene.tree->put("hive/tasks/new/deep/a.md", "two", Tree::Mode::create).value() == "one");
    CHECK(scene.tree->put("hive/tasks/new/deep/a.md", "3", Tree::Mode::replace).value() == "two");
    CHECK(
        scene.tree->put("hive/tasks/moved.md", "4", Tree::Mode::replace).error().code ==
        Errc::not_found);
    CHECK(scene.listed() == std::vector<std::string>{"hive/tasks/new/deep/a.md"});
    CHECK(scene.tree->list().value().strays.empty());
    REQUIRE(scene.tree->append("bot-logs/B-activity.jsonl", "{}\n"));
    REQUIRE(scene.tree->append("bot-logs/B-activity.jsonl", "{}\n"));
    CHECK(scene.tree->read("bot-logs/B-activity.jsonl").value() == "{}\n{}\n");
    REQUIRE(scene.tree->remove("hive/tasks/new/deep/a.md"));
    REQUIRE(scene.tree->remove("hive/tasks/new/deep/a.md"));
}

TEST_CASE("a move never goes over another file") {
    Scene scene;
    scene.write("hive/tasks/a.md", "a");
    scene.write("hive/tasks/_archive/a.md", "b");
    CHECK(
        scene.tree->move("hive/tasks/a.md", "hive/tasks/_archive/a.md").error().code ==
        Errc::conflict);
    REQUIRE(scene.tree->move("hive/tasks/a.md", "hive/tasks/BOT-002/a.md"));
    CHECK(scene.tree->read("hive/tasks/BOT-002/a.md").value() == "a");
}

TEST_CASE("nothing outside the root is read or written, also not through links") {
    Scene scene;
    std::ofstream{scene.scratch.path() / "secret.md"} << "secret";
    fs::create_directories(scene.scratch.path() / "away");
    fs::create_symlink(scene.scratch.path() / "secret.md", scene.root / "hive/tasks/link.md");
    fs::create_symlink(scene.scratch.path() / "away", scene.root / "hive/away");
    scene.write("hive/tasks/real.md", "real");
    fs::create_symlink("real.md", scene.root / "hive/tasks/inside.md");
    CHECK(scene.tree->read("hive/tasks/link.md").error().code == Errc::denied);
    CHECK(scene.tree->read("../secret.md").error().code == Errc::denied);
    CHECK_FALSE(scene.tree->put("hive/away/x.md", "x", Tree::Mode::create));
    CHECK_FALSE(scene.tree->put("../x.md", "x", Tree::Mode::create));
    CHECK_FALSE(fs::exists(scene.scratch.path() / "away/x.md"));
    CHECK_FALSE(fs::exists(scene.scratch.path() / "x.md"));
    CHECK(scene.tree->read("hive/tasks/inside.md").value() == "real");
    const auto listing = scene.tree->list().value();
    CHECK(scene.listed() == std::vector<std::string>{"hive/tasks/inside.md", "hive/tasks/real.md"});
    CHECK(std::ranges::count(listing.troubles, "link-outside", [](const Trouble& trouble) {
              return trouble.flaw.code;
          }) >= 1);
}

TEST_CASE("an unfinished write of a life before is found") {
    Scene scene;
    scene.write("hive/tasks/.a.md.hive~", "half");
    const auto listing = scene.tree->list().value();
    CHECK(listing.files.empty());
    CHECK(listing.strays == std::vector<std::string>{"hive/tasks/.a.md.hive~"});
}

TEST_CASE("a root that is away is said, and is not an empty one") {
    Scene scene;
    fs::rename(scene.root, scene.scratch.path() / "elsewhere");
    CHECK(scene.tree->list().error().code == Errc::unavailable);
}

TEST_CASE("a watch tells what is written, moved and removed, also in new directories") {
    Scene scene;
    auto watch = InotifyWatch::open(scene.root.string()).value();
    scene.write("hive/tasks/a.md", "a");
    CHECK(
        heard_until(*watch, "hive/tasks/a.md").paths ==
        std::vector<std::string>{"hive/tasks/a.md"});
    fs::rename(scene.root / "hive/tasks/a.md", scene.root / "hive/tasks/BOT-002/a.md");
    const auto moved = heard_until(*watch, "hive/tasks/BOT-002/a.md");
    CHECK(std::ranges::find(moved.paths, "hive/tasks/a.md") != moved.paths.end());
    scene.write("hive/tasks/BOT-003/deep/b.md", "b");
    const auto made = heard_until(*watch, "hive/tasks/BOT-003/deep/b.md");
    CHECK(std::ranges::find(made.paths, "hive/tasks/BOT-003/deep/b.md") != made.paths.end());
    scene.write("hive/tasks/BOT-003/deep/c.md", "c"); // the new directory is watched as well
    heard_until(*watch, "hive/tasks/BOT-003/deep/c.md");
    fs::remove(scene.root / "hive/tasks/BOT-002/a.md");
    const auto gone = heard_until(*watch, "hive/tasks/BOT-002/a.md");
    CHECK(std::ranges::find(gone.paths, "hive/tasks/BOT-002/a.md") != gone.paths.end());
    scene.tree->put("hive/tasks/a.md", "whole", Tree::Mode::create).value();
    const auto put = heard_until(*watch, "hive/tasks/a.md");
    CHECK(put.paths == std::vector<std::string>{"hive/tasks/a.md"}); // not the unfinished one
}

TEST_CASE("a directory that is moved away means that everything is looked at") {
    Scene scene;
    scene.write("hive/tasks/BOT-002/a.md", "a");
    auto watch = InotifyWatch::open(scene.root.string()).value();
    fs::rename(scene.root / "hive/tasks/BOT-002", scene.root / "hive/tasks/_archive");
    CHECK(heard_until(*watch, "?").everything);
}

TEST_CASE("a queue that overflows while nobody listens means that everything is looked at") {
    Scene scene;
    scene.write("hive/tasks/a.md", "a");
    scene.write("hive/tasks/b.md", "b");
    auto watch = InotifyWatch::open(scene.root.string()).value();
    const hive::tests::InotifyFlood flood{scene.root / "hive/tasks"};
    flood.rise("a.md", "b.md");
    scene.write("hive/tasks/unheard.md", "dropped");
    scene.write("hive/tasks/made/in/the/flood.md", "dropped");
    REQUIRE(flood.has_overflowed());
    const auto notice = heard_until(*watch, "?");
    CHECK(notice.everything);
    // It listens again afterwards, also where it could not hear that there was a new directory.
    scene.write("hive/tasks/made/in/the/calm.md", "c");
    const auto calm = heard_until(*watch, "hive/tasks/made/in/the/calm.md");
    CHECK(std::ranges::find(calm.paths, "hive/tasks/made/in/the/calm.md") != calm.paths.end());
}

TEST_CASE("a watch can be woken from elsewhere") {
    Scene scene;
    auto watch = InotifyWatch::open(scene.root.string()).value();
    watch->wake();
    const auto notice = watch->wait(std::chrono::minutes{1}).value();
    CHECK(notice.paths.empty());
    CHECK_FALSE(notice.everything);
}

// Storms, accidents, and files that are none.
#include "colony/files/references.hpp"
#include "tests/support/inotify_flood.hpp"
#include "tests/support/places.hpp"
#include "tests/system/files_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

std::size_t count_of(FilesScene& scene, std::string_view state) {
    const auto counts = scene.colony->person().get("/api/v1/tasks/counts");
    const auto* found = counts.as_object().if_contains(state);
    return found == nullptr ? 0 : found->to_number<std::size_t>();
}

bool has_finding(FilesScene& scene, std::string_view path, std::string_view code) {
    const auto status = scene.status();
    for (const auto& item : status.at("findings").as_array()) {
        if (item.at("path").as_string() == path && item.at("code").as_string() == code) return true;
    }
    return false;
}

// Threads that begin meanwhile touch files as somebody who is nobody, also when root runs tests.
class AsNobody {
public:
    AsNobody() : before_{::setfsuid(nobody)} {}
    ~AsNobody() { ::setfsuid(static_cast<uid_t>(before_)); }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

private:
    static constexpr uid_t nobody = 65534;
    int before_;
};

std::string shared_deia() {
    const char* given = std::getenv("HIVE_SHARED_DATA");
    const std::string root =
        given != nullptr ? given : hive::tests::in_source("") + "/../shared/data";
    if (fs::is_directory(root + "/deia/.deia")) return root + "/deia/.deia";
    MESSAGE("skipped: the public hive is not here; HIVE_SHARED_DATA says where");
    return "";
}

} // namespace

TEST_CASE("another branch is checked out under the watch: every task is there, none is ended") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}};
    for (int i = 0; i < 300; ++i)
        scene.write_task(fmt::format("hive/tasks/main-{}.md", i), fmt::format("Main {}", i));
    REQUIRE(eventually([&] { return count_of(scene, "pending") == 300; }));
    // As git does: those of the other branch appear, ours vanish, directories with them.
    fs::rename(scene.files.root() / "hive/tasks", scene.scratch.path() / "main");
    for (int i = 0; i < 300; ++i)
        scene.write_task(fmt::format("hive/tasks/deep/{}/side.md", i), fmt::format("Side {}", i));
    REQUIRE(eventually([&] { return count_of(scene, "pending") == 600; }));
    // And back.
    fs::rename(scene.files.root() / "hive/tasks", scene.scratch.path() / "side");
    fs::rename(scene.scratch.path() / "main", scene.files.root() / "hive/tasks");
    scene.settle();
    CHECK(count_of(scene, "pending") == 600);
    CHECK(scene.audited("sync.conflict").empty());
}

TEST_CASE("changes that the kernel has dropped are found all the same: every file is a row") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}};
    scene.write_task("hive/tasks/a.md", "A");
    scene.write_task("hive/tasks/b.md", "B");
    REQUIRE(eventually([&] { return count_of(scene, "pending") == 2; }));
    scene.settle();
    scene.sync->stop(); // nobody listens
    const hive::tests::InotifyFlood flood{scene.files.root() / "hive/tasks"};
    flood.rise("a.md", "b.md");
    scene.write_task("hive/tasks/b.md", "B, edited in the flood");
    for (int i = 0; i < 50; ++i) {
        scene.write_task(fmt::format("hive/tasks/lost-{}.md", i), "Lost");
        scene.write_task(fmt::format("hive/tasks/new/deep/too-{}.md", i), "Lost too");
    }
    REQUIRE(flood.has_overflowed());
    scene.sync->start();
    REQUIRE(eventually([&] { return count_of(scene, "pending") == 102; }));
    CHECK(scene.title("b") == "B, edited in the flood");
    // And it hears again, also in a directory whose making was dropped.
    scene.write_task("hive/tasks/new/deep/calm.md", "Calm");
    CHECK(scene.becomes("calm", "pending"));
}

TEST_CASE("a file that moves while the hive looks where it was stays one, and its task too") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}};
    scene.write_task("hive/tasks/a.md", "A");
    REQUIRE(scene.becomes("a", "pending"));
    scene.settle();
    scene.sync->stop();
    scene.watch->heard = [&scene, moved = false](const colony::files::Notice& notice) mutable {
        const bool now = !moved && std::ranges::count(notice.paths, "hive/tasks/a.md") > 0;
        if (!now) return;
        moved = true;
        scene.files.move("hive/tasks/a.md", "hive/tasks/BEE-001/a.md");
    };
    // Somebody saves what they opened before the hive wrote its name of the task into it.
    scene.write_task("hive/tasks/a.md", "A", "**Priority:** P1\n");
    scene.colony->person().send("PATCH", "/api/v1/tasks/a", {{"description", "changed"}});
    scene.sync->start();
    REQUIRE(eventually([&] {
        const auto text = scene.files.read("hive/tasks/BEE-001/a.md");
        return text.find("changed") != text.npos && text.find("**Priority:** P1") != text.npos;
    }));
    scene.settle();
    CHECK(scene.files.find("hive/tasks").size() == 1);
    CHECK(scene.colony->person().get("/api/v1/tasks").at("items").as_array().size() == 1);
}

TEST_CASE("a file that has gone back to where it was since it was read is still that file") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}};
    scene.write_task("hive/tasks/a.md", "A");
    REQUIRE(scene.becomes("a", "pending"));
    scene.settle();
    scene.sync->stop();
    // Edited by somebody who opened it before the hive wrote the name of its task into it.
    std::filesystem::remove(scene.files.root() / "hive/tasks/a.md");
    scene.write_task("hive/tasks/BEE-001/a.md", "A", "**Priority:** P1\n");
    const auto edited = scene.files.root() / "hive/tasks/BEE-001/a.md";
    fs::last_write_time(edited, fs::last_write_time(edited) - 1min); // it has settled
    scene.tree->has_read = [&scene, moved = false](std::string_view path) mutable {
        if (moved || path != "hive/tasks/BEE-001/a.md") return;
        moved = true;
        scene.files.move("hive/tasks/BEE-001/a.md", "hive/tasks/a.md");
    };
    scene.sync->start();
    CHECK(eventually([&] {
        const auto task = scene.task("a");
        return !task.is_null() && task.at("priority") == 1;
    }));
    scene.settle();
    CHECK(scene.files.find("hive/tasks").size() == 1);
    CHECK(scene.colony->person().get("/api/v1/tasks").at("items").as_array().size() == 1);
}

TEST_CASE("many changes of the same files at once: the last of each is what counts") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}};
    scene.settle();
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 150; ++i) {
            scene.write_task(fmt::format("hive/tasks/t-{}.md", i), fmt::format("Round {}", round));
        }
    }
    REQUIRE(eventually([&] { return scene.title("t-149") == "Round 19"; }));
    scene.settle();
    CHECK(count_of(scene, "pending") == 150);
}

TEST_CASE("a file that cannot be read is a finding until it can, and blocks nothing") {
    FilesScene scene;
    scene.settle();
    scene.sync->stop();
    const fs::path shut = scene.files.root() / "hive/tasks/shut.md";
    scene.write_task("hive/tasks/shut.md", "Shut");
    scene.write_task("hive/tasks/good.md", "Good");
    fs::permissions(shut, fs::perms::none);
    fs::permissions(scene.scratch.path(), fs::perms::all);
    {
        const AsNobody nobody; // root reads everything
        scene.sync->start();
    }
    CHECK(eventually([&] { return has_finding(scene, "hive/tasks/shut.md", "unreadable"); }));
    CHECK(scene.becomes("good", "pending"));
    CHECK(scene.state("shut") == "none");
    fs::permissions(shut, fs::perms{0644});
    CHECK(scene.becomes("shut", "pending"));
    CHECK(eventually([&] { return !has_finding(scene, "hive/tasks/shut.md", "unreadable"); }));
}

TEST_CASE("links that lead away and files that make no sense are findings, and block nothing") {
    FilesScene scene;
    std::ofstream{scene.scratch.path() / "secret.md"} << "# secret\n";
    fs::create_symlink(scene.scratch.path() / "secret.md", scene.files.root() / "hive/tasks/l.md");
    scene.files.write("hive/tasks/odd.json", "{ not json");
    scene.files.write("hive/tasks/bytes.md", std::string("\xff\xfe\x00 bytes", 9));
    scene.write_task("hive/tasks/good.md", "Good");
    REQUIRE(scene.becomes("good", "pending"));
    scene.colony->person().post("/api/v1/sync/pull");
    CHECK(eventually([&] { return has_finding(scene, "hive/tasks/l.md", "link-outside"); }));
    CHECK(eventually([&] { return has_finding(scene, "hive/tasks/odd.json", "bad-json"); }));
    CHECK(scene.becomes("odd", "pending")); // a task all the same
    CHECK(scene.becomes("bytes", "pending"));
    CHECK(scene.state("l") == "none");
}

TEST_CASE("a copy is a finding, not a second task; a directory that is away changes nothing") {
    FilesScene scene;
    scene.write_task("hive/tasks/one.md", "One");
    REQUIRE(scene.becomes("one", "pending"));
    fs::create_directories(scene.files.root() / "hive/tasks/old");
    fs::copy_file(
        scene.files.root() / "hive/tasks/one.md", scene.files.root() / "hive/tasks/old/one.md");
    REQUIRE(eventually([&] { return !scene.files.read("hive/tasks/old/one.md").empty(); }));
    scene.settle();
    CHECK(count_of(scene, "pending") == 1);
    fs::rename(scene.files.root(), scene.scratch.path() / "away");
    CHECK(eventually([&] {
        return scene.colony->person().send("POST", "/api/v1/sync/pull", json::object{}).status >=
               400;
    }));
    CHECK(count_of(scene, "pending") == 1);
    fs::rename(scene.scratch.path() / "away", scene.files.root());
    scene.settle();
    CHECK(count_of(scene, "pending") == 1);
}

TEST_CASE("a file that is written slowly is read when it is whole") {
    FilesScene scene;
    const std::string path = "hive/tasks/slow.md";
    scene.files.append(path, "");
    for (const char* piece : {"# Slow", " and steady\n\n", "**From:** Q33N\n", "\nIt is long.\n"})
        scene.files.append(path, piece);
    REQUIRE(scene.becomes("slow", "pending"));
    CHECK(eventually([&] { return scene.title("slow") == "Slow and steady"; }));
}

TEST_CASE("accident 1: an inbox that fails again and again ends after its attempts, each task") {
    FilesScene scene;
    for (int i = 1; i <= 18; ++i) {
        scene.write_task(
            fmt::format("hive/tasks/BOT-002/TASK-002-{:03}-job.md", i), fmt::format("Job {}", i),
            fmt::format("**Task ID:** TASK-002-{:03}\n**Bot ID:** BOT-002\n", i));
    }
    REQUIRE(eventually([&] { return count_of(scene, "pending") == 18; }));
    for (int run = 0; run < 10; ++run) { // as often as it was run that day
        for (int i = 1; i <= 18; ++i) {
            scene.files.write(
                fmt::format(
                    "hive/responses/2025-10-28-12{:02}-BOT-002-unknown-RESPONSE-job{}-failed.md",
                    run, i),
                fmt::format(
                    "# RESPONSE: job - Failed\n\n**From:** BOT-002\n**To:** unknown\n"
                    "**Task:** TASK-002-{:03}-job\n**Status:** \xe2\x9c\x97 FAILED\n\nrun {}\n",
                    i, run));
        }
    }
    REQUIRE(eventually([&] { return count_of(scene, "dead") == 18; }));
    scene.settle();
    CHECK(scene.files.find("hive/tasks/BOT-002").empty()); // nothing left to run
    CHECK(scene.files.find("hive/tasks/_archive").size() == 18);
    const auto task = scene.task("TASK-002-007-job");
    CHECK(task.at("attempts").as_int64() == 3);
    CHECK(count_of(scene, "dead") == 18);
    // Every response is kept as a message, whatever it did.
    std::size_t messages = 0;
    for (const auto& entry : scene.audited("message.new"))
        messages += entry.disclosure->details.find("RESPONSE: job") != std::string::npos ? 1U : 0U;
    CHECK(messages == 180);
}

TEST_CASE("accident 2: answers of the same minute: ours never share a name, theirs are all kept") {
    FilesScene scene;
    const auto bee = scene.colony->bee("BEE-001");
    for (int i = 0; i < 20; ++i) { // the same words, the same second
        const auto ref = scene.colony->make_task({{"title", "test implementation"}});
        const auto claimed = bee.post("/api/v1/tasks/" + ref + "/claim");
        bee.post(
            "/api/v1/tasks/" + ref + "/complete",
            {{"token", claimed.at("lease").at("token")}, {"note", "done " + ref}});
    }
    REQUIRE(eventually([&] { return scene.files.find("hive/responses").size() == 20; }));
    // A runner that names its answers by the minute writes over its own.
    const std::string path =
        "hive/responses/2025-10-28-1223-BOT-002-unknown-RESPONSE-implementation-failed.md";
    for (const auto* task : {"TASK-002-011", "TASK-002-017"}) {
        scene.files.write(
            path, fmt::format("# RESPONSE: Failed\n\n**From:** BOT-002\n**Task:** {}\n", task));
        REQUIRE(eventually([&] {
            const auto said = scene.colony->person().get("/api/v1/channels/general/messages");
            return to_text(said).find(task) != std::string::npos;
        }));
    }
    const auto said = to_text(scene.colony->person().get("/api/v1/channels/general/messages"));
    CHECK(said.find("TASK-002-011") != std::string::npos);
    CHECK(said.find("TASK-002-017") != std::string::npos);
}

TEST_CASE("the public hive: every file becomes a row or a finding, and goes round") {
    const std::string sample = shared_deia();
    if (sample.empty()) return;
    const hive::tests::ScratchDirectory copy;
    fs::copy(sample, copy.path() / ".deia", fs::copy_options::recursive);
    FilesScene scene{{.zone = "America/Chicago"}, (copy.path() / ".deia").string()};
    std::size_t taken = 0;
    for (const auto& path : scene.files.find("")) taken += colony::files::is_taken(path) ? 1U : 0U;
    REQUIRE(taken > 100);
    REQUIRE(
        eventually([&] { return scene.status().at("files").to_number<std::size_t>() >= taken; }));
    scene.settle();
    const auto counts = scene.colony->person().get("/api/v1/tasks/counts");
    std::size_t tasks = 0;
    for (const auto& [state, count] : counts.as_object()) tasks += count.to_number<std::size_t>();
    CHECK(tasks == scene.files.find("hive/tasks").size());
    CHECK(scene.status().at("conflicts").as_int64() == 0);
}

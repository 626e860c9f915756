// Both sides change the same task.
#include "tests/system/files_scene.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

using namespace hive;
using namespace hive::test;

namespace {

// A task with its canonical file, changed on both sides while nobody looks.
class Quarrel {
public:
    explicit Quarrel(std::string policy) : scene{{.policy = std::move(policy)}} {
        ref = scene.colony->make_task({{"title", "Old"}, {"priority", 2}, {"tags", {"a"}}});
        REQUIRE(eventually([&] { return !scene.file_of(ref).empty(); }));
        scene.settle();
        scene.sync->stop();
    }
    void edit(std::string_view from, std::string_view to) {
        const auto begin = std::chrono::file_clock::now();
        const std::string path = scene.file_of(ref);
        scene.files.replace(path, from, to);
        // The kernel stamps files by a coarse clock: until it is past what was done before.
        while (std::filesystem::last_write_time(scene.files.root() / path) <= begin)
            scene.files.write(path, scene.files.read(path));
    }
    void change(const json::object& changes) {
        const auto answer = scene.colony->person().send("PATCH", "/api/v1/tasks/" + ref, changes);
        REQUIRE_MESSAGE(answer.status == 200, answer.body);
    }
    json::value end() {
        scene.sync->start();
        scene.settle();
        return scene.task(ref);
    }

    FilesScene scene;
    std::string ref;
};

} // namespace

TEST_CASE("different fields changed on both sides: both stay, and nothing is a conflict") {
    Quarrel quarrel{"last-write"};
    quarrel.edit("\npriority: 2", "\npriority: 0");
    quarrel.change({{"title", "New"}});
    const auto task = quarrel.end();
    CHECK(text_at(task, "/title") == "New");
    CHECK(task.at("priority").as_int64() == 0);
    CHECK(quarrel.scene.audited("sync.conflict").empty());
    const auto file = quarrel.scene.files.read(quarrel.scene.file_of(quarrel.ref));
    CHECK(file.find("# New\n") != file.npos);
    CHECK(file.find("**Priority:** P0\n") != file.npos);
}

TEST_CASE("the same field: the last write wins, and the loser is in the audit log and a note") {
    Quarrel quarrel{"last-write"};
    quarrel.edit("# Old\n", "# By file\n");
    quarrel.change({{"title", "By API"}}); // later
    const auto task = quarrel.end();
    CHECK(text_at(task, "/title") == "By API");
    const auto conflicts = quarrel.scene.audited("sync.conflict");
    REQUIRE(conflicts.size() == 1);
    CHECK(conflicts.front().disclosure->details.find("By file") != std::string::npos);
    CHECK(conflicts.front().disclosure->details.find("\"winner\":\"api\"") != std::string::npos);
    const auto notes =
        quarrel.scene.colony->person().get("/api/v1/channels/task:" + quarrel.ref + "/messages");
    CHECK(to_text(notes).find("Lost: By file") != std::string::npos);
    CHECK(quarrel.scene.status().at("conflicts").as_int64() == 1);
}

TEST_CASE("the same field, the file later: the file wins, and what the API had is kept") {
    Quarrel quarrel{"last-write"};
    quarrel.change({{"title", "By API"}});
    quarrel.edit("# Old\n", "# By file\n");
    CHECK(text_at(quarrel.end(), "/title") == "By file");
    const auto conflicts = quarrel.scene.audited("sync.conflict");
    REQUIRE(conflicts.size() == 1);
    CHECK(conflicts.front().disclosure->details.find("By API") != std::string::npos);
}

TEST_CASE("a policy can say that files win, or that the API wins, whoever was last") {
    Quarrel files{"files-win"};
    files.edit("# Old\n", "# By file\n");
    files.change({{"title", "By API"}});
    CHECK(text_at(files.end(), "/title") == "By file");
    Quarrel api{"api-win"};
    api.change({{"title", "By API"}});
    api.edit("# Old\n", "# By file\n");
    CHECK(text_at(api.end(), "/title") == "By API");
    CHECK(api.scene.audited("sync.conflict").size() == 1);
}

TEST_CASE("with the server away files still work, and all of it is there when it is back") {
    Quarrel quarrel{"last-write"};
    const std::string path = quarrel.scene.file_of(quarrel.ref);
    quarrel.scene.write_task("hive/tasks/meanwhile.md", "Made meanwhile");
    quarrel.scene.files.move(path, "hive/tasks/BEE-002/" + path.substr(path.rfind('/') + 1));
    const auto task = quarrel.end();
    CHECK(text_at(task, "/lease/holder") == "BEE-002");
    CHECK(quarrel.scene.state("meanwhile") == "pending");
}

TEST_CASE("an empty database and the files give the colony back") {
    FilesScene before;
    const auto done = before.colony->make_task({{"title", "Done"}, {"tags", {"x", "y"}}});
    const auto held = before.colony->make_task(
        {{"title", "Held"}, {"dependsOn", json::array{done}}, {"metadata", {{"n", 1}}}});
    before.write_task("hive/tasks/by-hand.md", "By hand", "**To:** BEE-005\n");
    const auto bee = before.colony->bee("BEE-001");
    const auto first = bee.post("/api/v1/tasks/" + done + "/claim");
    bee.post("/api/v1/tasks/" + done + "/complete", {{"token", first.at("lease").at("token")}});
    bee.post("/api/v1/tasks/" + held + "/claim");
    REQUIRE(before.becomes("by-hand", "pending"));
    before.settle();
    before.sync->stop();
    FilesScene after{{}, before.files.root().string()};
    REQUIRE(after.becomes(done, "completed"));
    REQUIRE(after.becomes(held, "claimed"));
    REQUIRE(after.becomes("by-hand", "pending"));
    after.settle();
    for (const auto& ref : {done, held}) {
        auto old = before.task(ref).as_object();
        auto now = after.task(ref).as_object();
        for (const auto* place : {"filePath", "fileSyncedAt"}) {
            old.erase(place);
            now.erase(place);
        }
        CHECK_MESSAGE(now == old, to_text(now)); // the same ids, times, attempts and leases
    }
    const auto next = after.colony->make_task({{"title", "Next"}});
    CHECK(next != done); // numbers begin behind those that came back
    CHECK(next != held);
}

#include "store/file_tables.hpp"
#include "store/wait.hpp"
#include "tests/system/files_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

TEST_CASE("a task that appears as a file is in the colony, told to subscribers and audited") {
    FilesScene scene;
    WsClient socket{
        scene.colony->hive().connect(),
        "/ws?token=" + scene.colony->hive().ticket(scene.colony->person("eve").headers)};
    socket.text(R"({"op":"subscribe","topics":["task.#"]})");
    scene.write_task(
        "hive/tasks/2026-01-05-1000-Q33N-BEE-001-TASK-mend.md", "Mend the fence",
        "**To:** BEE-001\n**Priority:** P1\n");
    const std::string ref = "2026-01-05-1000-Q33N-BEE-001-TASK-mend";
    REQUIRE(scene.becomes(ref, "pending"));
    const auto task = scene.task(ref);
    CHECK(text_at(task, "/title") == "Mend the fence");
    CHECK(text_at(task, "/assignedTo") == "BEE-001");
    CHECK(text_at(task, "/createdBy") == "Q33N");
    CHECK(text_at(task, "/createdAt") == "2026-01-05T10:00:00Z");
    CHECK(task.at("priority").as_int64() == 1);
    std::string told;
    while (told.find("task.created") == told.npos) told = socket.receive_text();
    CHECK(told.find(ref) != told.npos);
    const auto pulled = scene.audited("sync.pulled");
    REQUIRE_FALSE(pulled.empty());
    CHECK(pulled.front().disclosure->details.find(ref) != std::string::npos);
    // What somebody wrote stays as it is while it says what the colony does.
    scene.settle();
    CHECK_FALSE(scene.files.read(scene.file_of(ref)).starts_with("---\nhive"));
}

TEST_CASE("what is done through the API is in the files: task, claim, end, response, log, board") {
    FilesScene scene;
    const std::string ref = scene.colony->make_task(
        {{"title", "Measure it"}, {"assignedTo", "BEE-007"}, {"description", "all of it"}});
    REQUIRE(eventually([&] { return !scene.file_of(ref).empty(); }));
    const std::string path = scene.file_of(ref);
    CHECK(path.starts_with("hive/tasks/"));
    CHECK(path.find("-BEE-007-") != path.npos);
    CHECK(scene.files.read(path).find("**To:** BEE-007\n") != std::string::npos);
    CHECK(scene.files.read(path).find("\n\nall of it\n") != std::string::npos);
    const auto bee = scene.colony->bee("BEE-007");
    const auto claimed = bee.post("/api/v1/tasks/" + ref + "/claim");
    REQUIRE(eventually(
        [&] { return scene.files.read(path).find("**Status:** claimed") != std::string::npos; }));
    bee.post(
        "/api/v1/tasks/" + ref + "/complete",
        {{"token", claimed.at("lease").at("token")}, {"note", "it is fast"}});
    REQUIRE(eventually([&] { return scene.file_of(ref).starts_with("hive/tasks/_archive/"); }));
    REQUIRE(
        eventually([&] { return !scene.files.find("hive/responses", "-complete.md").empty(); }));
    const auto response = scene.files.read(scene.files.find("hive/responses").front());
    CHECK(response.find("**From:** BEE-007\n") != std::string::npos);
    CHECK(response.find("it is fast") != std::string::npos);
    const auto log = scene.files.read("bot-logs/BEE-007-activity.jsonl");
    CHECK(log.find("\"event\":\"task_started\",\"task\":\"" + ref) != std::string::npos);
    CHECK(log.find("\"event\":\"task_completed\"") != std::string::npos);
    REQUIRE(eventually([&] { return scene.files.has("hive/heartbeats/BEE-007.yaml"); }));
    REQUIRE(eventually([&] {
        return scene.files.read("bot-status-board.json").find("BEE-007") != std::string::npos;
    }));
    // Said once the files are there.
    const std::string answer = scene.files.find("hive/responses").front();
    CHECK(eventually([&] {
        std::string pushed;
        for (const auto& entry : scene.audited("sync.pushed")) pushed += entry.disclosure->details;
        return pushed.find(path) != pushed.npos && pushed.find(answer) != pushed.npos;
    }));
    scene.settle();
    CHECK(scene.state(ref) == "completed");
}

TEST_CASE("a task says where its file is, wherever it goes, without being changed by that") {
    FilesScene scene;
    const auto bee = scene.colony->bee("BEE-007");
    const std::string ref = scene.colony->make_task({{"title", "Find me"}});
    const auto path = [&] {
        const auto task = scene.task(ref);
        return task.as_object().contains("filePath") ? text_at(task, "/filePath") : std::string{};
    };
    const auto is_at = [&](const std::string& place) {
        return eventually([&] { return path() == place; });
    };
    REQUIRE(eventually([&] { return !path().empty(); }));
    CHECK(scene.files.has(path()));
    CHECK(path() == scene.file_of(ref));
    CHECK(scene.task(ref).at("revision").as_int64() == 1);
    const std::string first = text_at(scene.task(ref), "/fileSyncedAt");
    CHECK(first >= text_at(scene.task(ref), "/createdAt"));
    const std::string name = path().substr(path().rfind('/'));
    const auto claimed = bee.post("/api/v1/tasks/" + ref + "/claim");
    bee.post("/api/v1/tasks/" + ref + "/complete", {{"token", claimed.at("lease").at("token")}});
    CHECK(is_at("hive/tasks/_archive" + name));
    CHECK(text_at(scene.task(ref), "/fileSyncedAt") > first);
    // Moved by hand, and deleted.
    scene.settle();
    scene.files.move("hive/tasks/_archive" + name, "hive/tasks" + name);
    CHECK(is_at("hive/tasks" + name));
    scene.settle();
    scene.files.remove("hive/tasks" + name);
    CHECK(is_at(""));
    CHECK_FALSE(scene.task(ref).as_object().contains("fileSyncedAt"));
}

TEST_CASE("a file bee works from claim to end by moving files, under the rules of leases") {
    FilesScene scene;
    scene.write_task("hive/tasks/paint.md", "Paint it");
    REQUIRE(scene.becomes("paint", "pending"));
    scene.files.move("hive/tasks/paint.md", "hive/tasks/BEE-002/paint.md");
    REQUIRE(scene.becomes("paint", "claimed"));
    CHECK(text_at(scene.task("paint"), "/lease/holder") == "BEE-002");
    // Nobody else can have it now.
    const auto refused =
        scene.colony->bee("BEE-003").send("POST", "/api/v1/tasks/paint/claim", json::object{});
    CHECK(refused.status == 409);
    REQUIRE(eventually([&] { return scene.file_of("paint") == "hive/tasks/BEE-002/paint.md"; }));
    scene.files.move("hive/tasks/BEE-002/paint.md", "hive/tasks/_archive/paint.md");
    REQUIRE(scene.becomes("paint", "completed"));
    CHECK(text_at(scene.task("paint"), "/history/0/bee") == "BEE-002");
    CHECK(text_at(scene.task("paint"), "/history/0/end") == "completed");
    // Back from the archive: it was not done after all.
    scene.settle();
    scene.files.move("hive/tasks/_archive/paint.md", "hive/tasks/paint.md");
    REQUIRE(scene.becomes("paint", "pending"));
}

TEST_CASE("a CLAIM note and a response do what they say; who is refused reads why") {
    FilesScene scene;
    scene.write_task("hive/tasks/dig.md", "Dig a well", "**Task ID:** TASK-900-001\n");
    REQUIRE(scene.becomes("dig", "pending"));
    scene.files.write(
        "hive/coordination/2026-01-05-1000-BEE-004-Q33N-CLAIM-dig.md",
        "# CLAIM\n\n**From:** BEE-004\n**To:** Q33N\n**Task:** dig\n\nETA an hour.\n");
    REQUIRE(scene.becomes("dig", "claimed"));
    CHECK(text_at(scene.task("dig"), "/lease/holder") == "BEE-004");
    scene.files.write(
        "hive/coordination/2026-01-05-1001-BEE-005-Q33N-CLAIM-dig.md",
        "# CLAIM\n\n**From:** BEE-005\n**Task:** TASK-900-001\n\nMe too.\n");
    REQUIRE(eventually([&] { return !scene.audited("sync.conflict").empty(); }));
    CHECK(text_at(scene.task("dig"), "/lease/holder") == "BEE-004");
    scene.files.write(
        "hive/responses/2026-01-05-1002-BEE-004-Q33N-RESPONSE-dig-complete.md",
        "# Done\n\n**From:** BEE-004\n**Task:** dig\n**Status:** \xe2\x9c\x85 "
        "COMPLETE\n\nWater!\n");
    REQUIRE(scene.becomes("dig", "completed"));
    const auto said = scene.colony->person().get("/api/v1/channels/task:dig/messages");
    CHECK(said.at("items").as_array().size() >= 3); // claim, the refused one, and the response
    scene.settle();
    CHECK(scene.file_of("dig") == "hive/tasks/_archive/dig.md");
}

TEST_CASE("move versus claim: the lease decides, and the file goes back") {
    FilesScene scene;
    scene.write_task("hive/tasks/race.md", "One of us");
    REQUIRE(scene.becomes("race", "pending"));
    scene.colony->bee("BEE-001").post("/api/v1/tasks/race/claim");
    REQUIRE(eventually([&] {
        return scene.files.read("hive/tasks/race.md").find("claimed") != std::string::npos;
    }));
    scene.files.move("hive/tasks/race.md", "hive/tasks/BEE-002/race.md");
    REQUIRE(eventually([&] { return !scene.audited("sync.conflict").empty(); }));
    scene.settle();
    CHECK(text_at(scene.task("race"), "/lease/holder") == "BEE-001");
    CHECK(scene.file_of("race") == "hive/tasks/race.md");
    scene.files.move("hive/tasks/race.md", "hive/tasks/_archive/race.md"); // nor can it be ended
    REQUIRE(eventually([&] { return scene.audited("sync.conflict").size() == 2; }));
    scene.settle();
    CHECK(scene.state("race") == "claimed");
    CHECK(scene.file_of("race") == "hive/tasks/race.md");
}

TEST_CASE("a file named PAUSE pauses its bee both ways, and its claims by file as well") {
    FilesScene scene;
    scene.write_task("hive/tasks/a.md", "A");
    REQUIRE(scene.becomes("a", "pending"));
    scene.files.write("hive/controls/BEE-003-PAUSE", "");
    REQUIRE(eventually([&] { return !scene.audited("bee.paused").empty(); }));
    const auto bee = scene.colony->bee("BEE-003");
    CHECK(code_of(bee.send("POST", "/api/v1/tasks/a/claim", json::object{})) == "bee-paused");
    scene.files.move("hive/tasks/a.md", "hive/tasks/BEE-003/a.md");
    REQUIRE(eventually([&] { return !scene.audited("sync.conflict").empty(); }));
    scene.settle();
    CHECK(scene.state("a") == "pending");
    scene.files.remove("hive/controls/BEE-003-PAUSE");
    REQUIRE(eventually([&] { return !scene.audited("bee.resumed").empty(); }));
    bee.post("/api/v1/tasks/a/claim");
    const auto order = [&](const std::string& word) {
        return scene.colony->hive().send(
            "POST", "/api/v1/bees/BEE-003/" + word, scene.colony->person().headers);
    };
    CHECK(order("pause").status == 200);
    CHECK(eventually([&] { return scene.files.has("hive/controls/BEE-003-PAUSE"); }));
    CHECK(order("resume").status == 200);
    CHECK(eventually([&] { return !scene.files.has("hive/controls/BEE-003-PAUSE"); }));
}

TEST_CASE("messages go both ways, heartbeats make bees present, log lines are told") {
    FilesScene scene;
    scene.colony->person("alice").post(
        "/api/v1/channels/bee:BEE-001/messages", {{"content", "Look at the gate"}}, 201);
    REQUIRE(eventually([&] { return !scene.files.find("hive/coordination", "BEE-001").empty(); }));
    CHECK(
        scene.files.read(scene.files.find("hive/coordination").front()).find("Look at the gate") !=
        std::string::npos);
    scene.files.write(
        "hive/coordination/2026-01-05-1000-BEE-001-ALL-INFO-gate.md",
        "# INFO: the gate\n\n**From:** BEE-001\n\nIt is shut.\n");
    REQUIRE(eventually([&] {
        const auto said = scene.colony->person().get("/api/v1/channels/general/messages");
        return to_text(said).find("It is shut.") != std::string::npos;
    }));
    scene.files.write(
        "hive/heartbeats/BEE-006.yaml", "bot: BEE-006\nstatus: WAITING\nmessage: for the paint\n");
    REQUIRE(eventually([&] {
        const auto bee =
            scene.colony->hive().get("/api/v1/bees/BEE-006", scene.colony->person().headers);
        return bee.body.find("for the paint") != std::string::npos;
    }));
    scene.files.append(
        "bot-logs/BEE-006-activity.jsonl", "{\"bee\":\"BEE-006\",\"event\":\"session_start\"}\n");
    scene.settle();
    scene.files.append(
        "bot-logs/BEE-006-activity.jsonl",
        "{\"bee\":\"BEE-006\",\"event\":\"progress\",\"task\":\"T\",\"msg\":\"halfway\"}\n");
    REQUIRE(eventually([&] { return !scene.audited("bee.log").empty(); }));
    CHECK(
        scene.audited("bee.log").front().disclosure->details.find("halfway") != std::string::npos);
    CHECK(scene.audited("bee.log").size() == 1);
}

TEST_CASE("a dry run says what would happen and does nothing; without files there is a reason") {
    FilesScene scene{{.scan_every = std::chrono::hours{1}}, "", FilesScene::Listening::no};
    scene.settle();
    scene.write_task("hive/tasks/later.md", "Later");
    const auto pull = [&](bool dry) {
        return scene.colony->person().post("/api/v1/sync/pull", {{"dryRun", dry}});
    };
    json::value dry;
    REQUIRE(eventually([&] { // it is left alone until it has settled
        dry = pull(true);
        return dry.at("changed").as_int64() == 1;
    }));
    CHECK(dry.at("dryRun").as_bool());
    CHECK(text_at(dry, "/changes/0/path") == "hive/tasks/later.md");
    CHECK(text_at(dry, "/changes/0/what").starts_with("new task"));
    CHECK(pull(true).at("changed").as_int64() == 1); // still to be done
    CHECK(scene.state("later") == "none");
    CHECK(scene.audited("sync.pulled").empty());
    CHECK(pull(false).at("changed").as_int64() == 1);
    CHECK(scene.state("later") == "pending");
    CHECK(pull(true).at("changed").as_int64() == 0);
    const auto push = scene.colony->person().post("/api/sync/push", {{"dryRun", true}});
    CHECK(text_at(push, "/direction") == "push");
    ColonyUnderTest alone;
    CHECK_FALSE(alone.person().get("/api/v1/sync/status").at("enabled").as_bool());
    CHECK(code_of(alone.person().send("POST", "/api/v1/sync/pull", json::object{})) == "sync-off");
}

TEST_CASE("old versions of files go after their time; what is there is always kept") {
    FilesScene scene{{.keep_versions = std::chrono::seconds{1}}};
    const std::string ref = scene.colony->make_task({{"title", "Often changed"}});
    REQUIRE(eventually([&] { return !scene.file_of(ref).empty(); }));
    const std::string path = scene.file_of(ref);
    for (int i = 0; i < 3; ++i) {
        const std::string text = fmt::format("version {}", i);
        scene.colony->person().send(
            "PATCH", "/api/v1/tasks/" + ref, json::object{{"description", text}});
        REQUIRE(eventually([&] { return scene.files.read(path).find(text) != std::string::npos; }));
    }
    scene.settle();
    REQUIRE(eventually([&] {
        std::int64_t swept = 0;
        for (const auto& entry : scene.audited("sync.swept"))
            swept += parsed(entry.disclosure->details).at("count").as_int64();
        return swept >= 3;
    }));
    std::string lost;
    const auto looked = store::read_and_wait(
        *scene.colony->hive().database, {.work = [&](store::Session& session) -> Status {
            const store::FileTable files{session, scene.colony->hive().hive};
            auto rows = files.list("", 1000);
            if (!rows) return fail(rows.error());
            for (const auto& row : *rows) {
                auto bytes = files.bytes(row.digest);
                if (!bytes) return fail(bytes.error());
                if (!row.gone && !*bytes) lost += row.path + " ";
            }
            return {};
        }});
    CHECK(looked);
    CHECK(lost == "");
}

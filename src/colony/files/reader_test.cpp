#include "colony/files/document.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::files;
using colony::tasks::State;

namespace {

const Zone chicago = Zone::parse("America/Chicago").value();
const Timestamp changed{std::chrono::seconds{1'700'000'000}};

Document read(std::string_view path, std::string_view text, const Aliases& aliases = {}) {
    return read_document(path, text, {aliases, chicago, changed});
}
Timestamp at(std::int64_t seconds) {
    return Timestamp{std::chrono::seconds{seconds}};
}

constexpr std::string_view bold = "# Mend the fence\n"
                                  "\n"
                                  "**From:** AGENT\xe2\x80\x91"
                                  "003 (Coordinator)\n"
                                  "**To:** BOT-00004 - the one with the hammer\n"
                                  "**Priority:** HIGH - before winter\n"
                                  "**Status:** QUEUED after the gate\n"
                                  "**Depends on:** TASK-002-011, 012 (the posts)\n"
                                  "\n---\n\n"
                                  "Two posts are loose.\n\n"
                                  "**From:** BOT-999\n";

} // namespace

TEST_CASE("a task with bold headers: every field with where it was found, later headers ignored") {
    const auto task = read("hive/tasks/2025-10-25-1530-003-004-TASK-mend-the-fence.md", bold);
    CHECK(task.place.family == Family::task);
    CHECK(task.title.value == "Mend the fence");
    CHECK(task.sender.value == "BOT-003");
    CHECK(task.sender.source == "bold header 'from', line 3");
    CHECK(task.recipient() == "BOT-004");
    CHECK(task.priority.value == 1);
    CHECK(task.state.value == State::pending);
    CHECK(task.depends_on == colony::Words{"TASK-002-011", "TASK-002-012"});
    CHECK(task.time.value == at(1761424200)); // 15:30 in Chicago, in summer
    CHECK(task.time.source == "file name");
    CHECK(task.body == bold);
    CHECK(task.flaws.empty());
}

TEST_CASE("the same fields from a table, plain lines, front matter and JSON") {
    const auto table = read(
        "hive/tasks/a.md", "# T\n\n| Field | Value |\n|---|---|\n| From | Q33N |\n| To | 002 |\n"
                           "| Priority | P0 |\n");
    const auto plain = read("hive/tasks/a.md", "From: Q33N\nTo: BOT-002\nPriority: P0\n\nDo it.\n");
    const auto front = read(
        "hive/tasks/a.md",
        "---\nfrom: Q33N\nassigned_to: BOT-002\npriority: P0\n---\n\n# T\n\nx\n");
    const auto json = read(
        "hive/tasks/a.json",
        R"({"taskId":"TASK-7","title":"T","from":"Q33N","bot_id":"BOT-002","priority":"P0"})");
    for (const auto* task : {&table, &plain, &front, &json}) {
        CAPTURE(task->path);
        CHECK(task->sender.value == "Q33N");
        CHECK(task->recipient() == "BOT-002");
        CHECK(task->priority.value == 0);
        CHECK(task->place.family == Family::task);
    }
    CHECK(json.task_name.value == "TASK-7");
    CHECK(json.title.value == "T");
}

TEST_CASE("one agent, however it is written; the hive's own table goes first") {
    const Aliases none;
    for (const std::string_view written :
         {"003", "AGENT-003", "AGENT_003", "agent003", "CLAUDE-CODE-003", "BOT-003", "BOT-00003",
          "BOT-00003 (CLAUDE-CODE-003)",
          "BOT\xe2\x80\x91"
          "003"}) {
        CHECK_MESSAGE(none.resolve(written) == "BOT-003", written);
    }
    CHECK(none.resolve("BEE-001") == "BEE-001");
    CHECK(none.resolve("BEE-000") == "Q33N");
    CHECK(none.resolve("BEE-003A") == "BEE-003A");
    CHECK(none.resolve("unknown").empty());
    CHECK(none.resolve("alice") == "alice");
    CHECK(
        none.resolve_all("BOT-001, BOT-003 and 004") ==
        colony::Words{"BOT-001", "BOT-003", "BOT-004"});
    auto table = Aliases::parse("queen: MAYA\nBEE-007: [CLAUDE-CODE-003, '003', Bond]\n").value();
    CHECK(table.resolve("CLAUDE-CODE-003") == "BEE-007");
    CHECK(table.resolve("bond (James)") == "BEE-007");
    CHECK(table.resolve("BEE-000") == "MAYA");
    table.know("AGENT-004");
    CHECK(table.resolve("agent-004") == "AGENT-004");
    CHECK_FALSE(Aliases::parse("a: b\na: c\n"));
}

TEST_CASE("a name is taken apart from the left: agents have hyphens in them") {
    const auto told = read(
        "hive/responses/2025-10-28-1241-CLAUDE-CODE-002-unknown-RESPONSE-template-failed.md",
        "no header at all\n");
    CHECK(told.sender.value == "BOT-002");
    CHECK(told.recipients.value.empty());
    CHECK(told.kind == "RESPONSE");
    CHECK(told.state.value == State::failed);
    CHECK(told.state.source == "file name");
    CHECK(told.title.value == "no header at all");
    const auto pointing = read("hive/responses/x/q33n-to-bot-001-p0-do-it-now.md", "# Do it\n");
    CHECK(pointing.sender.value == "Q33N");
    CHECK(pointing.recipient() == "BOT-001");
    CHECK(pointing.priority.value == 0);
    const auto first = read("hive/tasks/2025-10-26-1215-ASSIGNMENT-BOT-004-TEST.md", "text\n");
    CHECK(first.recipient() == "BOT-004");
    CHECK(first.sender.value == "Q33N");
    CHECK(first.sender.source == "default");
    const auto compact = read("hive/tasks/20251112_081500-P1-clean-up.md", "");
    CHECK(compact.priority.value == 1);
    CHECK(compact.time.value == at(1762956900)); // winter
    CHECK(compact.title.value == "clean up");
}

TEST_CASE("impossible times, dates elsewhere and times with zones") {
    CHECK(
        read("hive/tasks/2025-10-25-2400-000-001-TASK-x.md", "# X\n").time.value ==
        at(1761454800)); // midnight at the end of that day
    CHECK(
        read("hive/tasks/x.md", "**Date:** 2025-10-25 12:15 PM CDT\n").time.value ==
        at(1761412500));
    CHECK(read("hive/tasks/x.md", "**Date:** 2025-10-18 2355 UTC\n").time.value == at(1760831700));
    CHECK(
        read("hive/tasks/x.md", "**Created:** 2025-10-28T14:19:45.25Z\n").time.value ==
        at(1761661185));
    CHECK(
        read("hive/tasks/x.md", "# X\n\nSince October 26, 2025 it leaks.\n").time.source ==
        "first date in the text");
    CHECK(
        read("hive/tasks/x.md", "**Date:** soon\n**Created:** 2025-10-28\n").time.source ==
        "bold header 'created', line 2");
    CHECK(read("hive/tasks/x.md", "# X\n").time.value == changed);
    CHECK(read("hive/tasks/2025-13-45-x.md", "# X\n").time.value == changed);
}

TEST_CASE("who says no time is asked about: the first commit goes before the last change") {
    class Committed final : public History {
    public:
        std::optional<Timestamp> committed(std::string_view path) override {
            ++asked;
            return path == "hive/tasks/old.md" ? std::optional{at(1000)} : std::nullopt;
        }
        int asked = 0;
    } history;
    const Aliases aliases;
    const Zone zone;
    const auto time_of = [&](std::string_view path, std::string_view text) {
        return read_document(path, text, {aliases, zone, changed, &history}).time;
    };
    CHECK(time_of("hive/tasks/old.md", "# X\n").value == at(1000));
    CHECK(time_of("hive/tasks/old.md", "# X\n").source == "first commit in git");
    CHECK(time_of("hive/tasks/new.md", "# X\n").value == changed);
    CHECK(history.asked == 3);
    CHECK(time_of("hive/tasks/old.md", "# X\n\nOn 2025-10-26 it broke.\n").value != at(1000));
    CHECK(time_of("hive/tasks/2025-10-26-old.md", "# X\n").value != changed);
    CHECK(history.asked == 3); // what says its time costs no process
}

TEST_CASE("where a task lies says whether it is closed, in each of the three archives") {
    for (const std::string_view path :
         {"hive/tasks/archived/x.md", "hive/tasks/_archive/x.md", "hive/archive/BOT-002/x.md"}) {
        CAPTURE(path);
        CHECK(read(path, "# X\n\n**Status:** QUEUED\n").state.value == State::completed);
        CHECK(read(path, "# X\n\n**Status:** \xe2\x9c\x97 FAILED\n").state.value == State::failed);
    }
    CHECK(read("hive/tasks/BOT-002/x.md", "# X\n").recipient() == "BOT-002");
    CHECK(read("hive/tasks/BOT-002/x.md", "# X\n").state.value == State::pending);
    CHECK(read("tasks/x.md", "# X\n").place.family == Family::task);
}

TEST_CASE("directories decide what a file is; what is not the hive's is not read") {
    CHECK(place_of("hive/coordination/n.md").family == Family::message);
    CHECK(place_of("tunnel/claude-to-claude/n.md").family == Family::message);
    CHECK(place_of("bot-logs/BOT-1-activity.jsonl").family == Family::log);
    CHECK(place_of("bot-logs/BOT-1-heartbeat.yaml").family == Family::heartbeat);
    CHECK(place_of("hive/heartbeats/BOT-1.yaml").family == Family::heartbeat);
    CHECK(place_of("hive/controls/BOT-1-PAUSE").family == Family::control);
    CHECK(place_of("hive/sessions/u.json").family == Family::session);
    CHECK(place_of("bot-status-board.json").family == Family::board);
    CHECK(is_taken("hive/controls/BOT-1-PAUSE"));
    CHECK(is_taken("hive/GUIDE.md"));
    CHECK_FALSE(is_taken("hive/tasks/.x.md.hive~"));
    CHECK_FALSE(is_taken("hive/tasks/picture.png"));
    CHECK_FALSE(is_taken("index/notes.md"));
}

TEST_CASE("logs: three generations of lines, broken ones mended, nothing dropped") {
    const auto log = read(
        "bot-logs/BOT-BOT-002-activity.jsonl",
        "\xef\xbb\xbf{\"ts\":\"2025-10-13T16:05:36Z\",\"agent_id\":\"BOT-002\",\"event\":\"task_"
        "start\",\"message\":\"go\"}\r\n"
        "{\"timestamp\":\"2025-10-13T12:00:00\",\"bot_id\":\"BOT-002\",\"event_type\":\"task_"
        "done\",\"task_id\":\"T-1\"}\n"
        "{\"ts\":\"2025-10-13T16:06:00Z\",\"bee\":\"BOT-002\",\"event\":\"progress\",\"msg\":\"in "
        "C:\\work\\deia\"}\n"
        "{\"ts\":\"2025-10-13T16:07:00Z\",\"bee\":\"BOT-002\",\"event\":\"error\",\"msg\":\"said "
        "\"no\" twice\"}\n"
        "not JSON at all\n");
    REQUIRE(log.lines.size() == 5);
    CHECK(log.sender.value == "BOT-002");
    CHECK(log.lines[0].event == "task_started");
    CHECK(log.lines[1].event == "task_completed");
    CHECK(log.lines[1].time == at(1760374800)); // no zone: that of the hive
    CHECK(log.lines[2].form == LogLine::Form::repaired);
    CHECK(log.lines[2].text == "in C:\\work\\deia");
    CHECK(log.lines[3].form == LogLine::Form::repaired);
    CHECK(log.lines[4].form == LogLine::Form::opaque);
    CHECK(log.lines[4].text == "not JSON at all");
    CHECK(log.flaws.front().code == "bad-lines");
}

TEST_CASE("bytes of any kind make a document with a title, a sender and a time") {
    for (const std::string& bytes :
         {std::string{}, std::string("\0\0", 2), std::string{"\xff\xfe\xfa"}, std::string{"---\n"},
          std::string{"```\n# not a title\n"}, std::string(200'000, '#')}) {
        for (const std::string_view path :
             {"hive/tasks/a.md", "hive/responses/b.json", "hive/heartbeats/c.yaml",
              "bot-logs/d.jsonl"}) {
            const auto document = read(path, bytes);
            CHECK_FALSE(document.title.value.empty());
            CHECK_FALSE(document.sender.value.empty());
            CHECK_FALSE(document.time.source.empty());
        }
    }
}

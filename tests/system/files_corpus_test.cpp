// A hand-checked part of a public hive: what the reader must find in files that nobody here wrote.
#include "colony/files/document.hpp"
#include "colony/files/intake_task.hpp"
#include "colony/files/task_file.hpp"
#include "kernel/timestamp.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::colony::files;
namespace fs = std::filesystem;

namespace {

struct Expected {
    std::string_view path;
    std::string_view sender;
    std::string_view to; // the first; empty: none
    std::string_view time;
    int priority;
    std::string_view state; // empty: it says none
};

// Times are UTC; names and headers are those of Chicago.
constexpr Expected table[] = {
    {"hive/tasks/BOT-002/TASK-002-004-P2-launch-doc-template.md", "Q33N", "BOT-002",
     "2025-10-28T14:00:00Z", 2, "pending"},
    {"hive/tasks/BOT-002/TASK-002-006-P1-implement-response-tagging.md", "Q33N", "BOT-002",
     "2025-10-28T14:15:00Z", 1, "pending"},
    {"hive/tasks/BOT-002/TASK-002-017-P1-test-http-server-implementation.md", "Q33N", "BOT-002",
     "2025-10-28T05:00:00Z", 1, "pending"},
    {"hive/tasks/archived/2025-10-18-1714-003-005-TASK-integrate-query-router.md", "BOT-003",
     "BOT-005", "2025-10-18T22:14:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-19-0035-003-002-TASK-readme-status-check.md", "BOT-003",
     "BOT-002", "2025-10-19T05:35:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-19-0050-003-ALL_AGENTS-ALERT-agent006-joining-team.md", "BOT-003",
     "BOT-002", "2025-10-19T05:50:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-19-0902-001-002-TASK-document-progress-and-pause.md", "BOT-001",
     "BOT-002", "2025-10-19T14:02:00Z", 2, "completed"},
    {"hive/tasks/archived/2025-10-23-2133-HUMAN-DAVE-BOT-00001-HUMAN-INTERJECT.md", "HUMAN-DAVE",
     "BOT-001", "2025-10-24T02:33:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-24-1713-HUMAN-CLAUDE-CODE-002-TASK-fix-mock-bot.md", "HUMAN-DAVE",
     "BOT-002", "2025-10-24T22:13:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-25-1530-000-001-DEPLOYMENT-READINESS-BATCH.md", "Q33N", "BOT-001",
     "2025-10-25T20:30:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-25-1600-000-003-FEATURES-TASK-2-QUEUED.md", "Q33N", "BOT-003",
     "2025-10-25T21:00:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-25-1800-000-BOT-004-COMPONENT-LIBRARY.md", "Q33N", "BOT-004",
     "2025-10-25T23:00:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-25-2015-000-WORK-QUEUE-Management.md", "Q33N", "BOT-001",
     "2025-10-26T01:15:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-26-1215-ASSIGNMENT-BOT-004-INTEGRATION-TEST.md", "Q33N",
     "BOT-004", "2025-10-26T17:15:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-26-CRITICAL-P0-JWT-AUTHENTICATION.md", "Q33N", "",
     "2025-10-26T05:00:00Z", 0, "completed"},
    {"hive/tasks/BOT-002/TASK-002-015-P1-websocket-streaming-responses.md", "Q33N", "BOT-002",
     "2025-10-28T05:00:00Z", 1, "pending"},
    {"hive/tasks/archived/2025-10-19-0910-001-002-TASK-federalist-integration.md", "BOT-001",
     "BOT-002", "2025-10-19T14:10:00Z", 2, "completed"},
    {"hive/tasks/archived/"
     "2025-10-25-1400-001-003-DELEGATION-deiasolutions-support-from-lilys-dragon.md",
     "BOT-001", "BOT-003", "2025-10-25T19:00:00Z", 2, "completed"},
    {"hive/tasks/archived/2025-10-25-1900-000-001-PRODUCTION-HARDENING-BATCH.md", "Q33N", "BOT-001",
     "2025-10-26T00:00:00Z", 0, "completed"},
    {"hive/tasks/archived/2025-10-25-2200-000-BOT-001-OPERATIONS.md", "Q33N", "BOT-001",
     "2025-10-26T03:00:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-25-2215-000-001-ASSIGNMENT-HTTP-Service-API-Expansion.md", "Q33N",
     "BOT-001", "2025-10-26T03:15:00Z", 2, "completed"},
    {"hive/tasks/archived/2025-10-25-2300-000-003-SPRINT-2-Chat-Features-Expansion.md", "Q33N",
     "BOT-003", "2025-10-26T04:00:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-26-BOT-004-SERVICE-FACTORY-COVER.md", "Q33N", "BOT-004",
     "2025-10-26T05:00:00Z", 1, "completed"},
    {"hive/tasks/archived/2025-10-26-FOCUSED-004-Verify-Tests.md", "Q33N", "BOT-004",
     "2025-10-26T05:00:00Z", 0, "completed"},
    {"hive/responses/2025-10-18-1705-003-001-QUESTION-tactical-coordinator-process-clarification."
     "md",
     "BOT-003", "BOT-001", "2025-10-18T22:05:00Z", 2, ""},
    {"hive/responses/2025-10-18-2315-002-003-SYNC-context-loader-complete.md", "BOT-002", "BOT-003",
     "2025-10-19T04:15:00Z", 2, "completed"},
    {"hive/responses/2025-10-18-2355-003-004-ACK-master-librarian-and-claim.md", "BOT-003",
     "BOT-004", "2025-10-19T04:55:00Z", 2, ""},
    {"hive/responses/2025-10-28-1241-BOT-002-unknown-RESPONSE-template-failed.md", "BOT-002", "",
     "2025-10-28T17:41:00Z", 2, "failed"},
    {"hive/responses/TASK-002-003-inventory-audit-response.md", "BOT-002", "",
     "2025-10-28T14:19:45Z", 1, "completed"},
    {"hive/responses/deiasolutions/bot-003-status-18-10.md", "BOT-003", "Q33N",
     "2025-10-26T23:10:00Z", 2, "completed"},
    {"hive/responses/deiasolutions/bot-003-query-next-priority.md", "BOT-003", "Q33N",
     "2025-10-25T23:30:00Z", 2, ""},
    {"hive/responses/deiasolutions/q33n-to-bot-001-p0-hardening-now.md", "Q33N", "BOT-001",
     "2025-10-26T05:00:00Z", 0, ""},
    {"hive/responses/deiasolutions/hive-testing-bot-003-llama.md", "BOT-003", "",
     "2025-10-26T05:00:00Z", 2, "completed"},
    {"hive/responses/2025-10-18-2025-005-003-QUESTION-monitoring-schedule-clarification.md",
     "BOT-005", "BOT-003", "2025-10-19T01:25:00Z", 2, ""},
    {"hive/responses/2025-10-28-1238-BOT-002-unknown-RESPONSE-coordination-failed.md", "BOT-002",
     "", "2025-10-28T17:38:00Z", 2, "failed"},
    {"hive/responses/2025-10-28-1507-BOT-002-unknown-RESPONSE-MISSION-failed.md", "BOT-002", "",
     "2025-10-28T20:07:00Z", 2, "failed"},
    {"hive/responses/2025-10-28-1608-BOT-002-unknown-RESPONSE-api-failed.md", "BOT-002", "",
     "2025-10-28T21:08:00Z", 2, "failed"},
    {"hive/responses/2025-10-28-1918-BOT-002-unknown-RESPONSE-architecture-failed.md", "BOT-002",
     "", "2025-10-29T00:18:00Z", 2, "failed"},
    {"hive/responses/deiasolutions/BOT-001-PROD-CONFIG-VALIDATION.md", "BOT-001", "Q33N",
     "2025-10-25T22:40:00Z", 2, "completed"},
    {"hive/responses/deiasolutions/Q33N-ALERTS-DISPATCHED-AUTOLOG-ENFORCEMENT.md", "Q33N", "",
     "2025-10-26T04:25:00Z", 2, "pending"},
    {"hive/responses/deiasolutions/bot-001-code-review-backlog-007.md", "BOT-001", "",
     "2025-10-26T05:18:00Z", 2, ""},
    {"hive/responses/deiasolutions/bot-001-hardening-dr.md", "BOT-001", "", "2025-10-26T04:15:00Z",
     2, "completed"},
    {"hive/responses/deiasolutions/bot-003-batch-2-complete.md", "BOT-003", "",
     "2025-10-25T05:00:00Z", 2, "completed"},
    {"hive/responses/deiasolutions/bot-004-distributed-tracing-complete.md", "BOT-004", "",
     "2025-10-26T20:50:00Z", 2, "completed"},
    {"hive/responses/deiasolutions/claude-code-002-merge-and-archive-antipattern-complete.md",
     "BOT-002", "", "2025-10-29T18:05:00Z", 2, "completed"},
    {"hive/heartbeats/CLAUDE-CODE-001-heartbeat.yaml", "BOT-001", "", "2025-10-19T13:06:52Z", 2,
     "in_progress"},
    {"bot-logs/BOT-BOT-002-errors.jsonl", "BOT-002", "", "2025-10-28T17:17:09Z", 2, ""},
    {"bot-logs/BEE-003A-activity.jsonl", "BEE-003A", "", "2025-11-27T06:48:18Z", 2, ""},
};

std::string sample() {
    const char* given = std::getenv("HIVE_SHARED_DATA");
    const std::string root =
        given != nullptr ? given : hive::tests::in_source("") + "/../shared/data";
    if (fs::is_directory(root + "/deia/.deia")) return root + "/deia/.deia";
    MESSAGE("skipped: the public hive is not here; HIVE_SHARED_DATA says where");
    return "";
}

Document read(const std::string& root, const std::string& path) {
    static const Aliases aliases;
    static const Zone zone = Zone::parse("America/Chicago").value();
    std::ifstream file{root + "/" + path, std::ios::binary};
    REQUIRE_MESSAGE(file, path);
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    return read_document(path, bytes, {aliases, zone, Timestamp{std::chrono::seconds{1}}});
}

// What a person takes for the title of these files: the first line, when it is a heading.
std::string first_heading(const std::string& root, const std::string& path) {
    std::ifstream file{root + "/" + path};
    std::string line;
    std::getline(file, line);
    if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (!line.starts_with("# ")) return {};
    line = line.substr(2, line.find_last_not_of(" \r") - 1);
    constexpr std::string_view dashes = "\xe2\x80"; // and 0x90 to 0x95: one hyphen to us
    for (auto at = line.find(dashes); at != line.npos; at = line.find(dashes, at + 1)) {
        const auto last = static_cast<unsigned char>(line.at(at + 2));
        if (last >= 0x90 && last <= 0x95) line.replace(at, 3, "-");
    }
    return line;
}

// Which task a file is about, or which it waits for, as it says itself.
struct About {
    std::string_view path;
    std::string_view task;
};
constexpr About answers[] = {
    {"hive/responses/2025-10-28-1238-BOT-002-unknown-RESPONSE-coordination-failed.md",
     "TASK-002-008-P2-hybrid-mode-coordination"},
    {"hive/responses/2025-10-28-1507-BOT-002-unknown-RESPONSE-MISSION-failed.md",
     "BOT-002-LAUNCH-MISSION"},
    {"hive/responses/2025-10-28-1608-BOT-002-unknown-RESPONSE-api-failed.md",
     "TASK-002-014-P1-unified-timeline-api"},
    {"hive/responses/2025-10-28-1918-BOT-002-unknown-RESPONSE-architecture-failed.md",
     "TASK-002-007-P1-unified-timeline-architecture"},
    {"hive/tasks/BOT-002/TASK-002-015-P1-websocket-streaming-responses.md", "TASK-002-015"},
};

} // namespace

TEST_CASE("99 of 100 fields of the hand-checked files are as a person reads them") {
    const std::string root = sample();
    if (root.empty()) return;
    std::size_t right = 0;
    std::size_t all = 0;
    const auto check = [&](std::string_view path, std::string_view field, auto found, auto wanted) {
        ++all;
        if (found == wanted) {
            ++right;
        } else {
            MESSAGE(path, ": ", field, " is ", found, ", not ", wanted);
        }
    };
    for (const Expected& expected : table) {
        const Document document = read(root, std::string{expected.path});
        const auto& to = document.recipients.value;
        const bool stated = !document.state.source.empty();
        const std::string heading = first_heading(root, std::string{expected.path});
        if (!heading.empty()) check(expected.path, "title", document.title.value, heading);
        check(expected.path, "sender", document.sender.value, std::string{expected.sender});
        check(
            expected.path, "to", to.empty() ? std::string{} : to.front(), std::string{expected.to});
        check(
            expected.path, "time", format_timestamp(document.time.value),
            std::string{expected.time});
        check(expected.path, "priority", document.priority.value, expected.priority);
        check(
            expected.path, "state",
            stated ? std::string{name_of(document.state.value)} : std::string{},
            std::string{expected.state});
    }
    CHECK(right * 100 >= all * 99);
}

TEST_CASE("answers name their task, and tasks what they wait for, as they say it") {
    const std::string root = sample();
    if (root.empty()) return;
    for (const About& about : answers) {
        CAPTURE(about.path);
        CHECK(read(root, std::string{about.path}).task_name.value == about.task);
    }
    const auto waits = read(root, std::string{answers[4].path});
    CHECK(waits.depends_on == colony::Words{"TASK-002-011", "TASK-002-012", "TASK-002-014"});
}

TEST_CASE("every task of the public hive, read, written canonically and read again is the same") {
    const std::string root = sample();
    if (root.empty()) return;
    std::size_t tasks = 0;
    for (const auto& entry : fs::recursive_directory_iterator{root}) {
        const std::string path = entry.path().lexically_relative(root).string();
        if (!entry.is_regular_file() || place_of(path).family != Family::task) continue;
        CAPTURE(path);
        const auto task = without_place(task_in(read(root, path), {}));
        const auto back = read_task(write_task(task));
        REQUIRE(back);
        CHECK(*back == task);
        ++tasks;
    }
    CHECK(tasks >= 40);
}

TEST_CASE("every file of the public hive has a title, a sender and a time, and is one of ours") {
    const std::string root = sample();
    if (root.empty()) return;
    std::size_t files = 0;
    std::size_t by_the_clock = 0;
    std::size_t nobody = 0;
    for (const auto& entry : fs::recursive_directory_iterator{root}) {
        if (!entry.is_regular_file()) continue;
        const std::string path = entry.path().lexically_relative(root).string();
        const Document document = read(root, path);
        ++files;
        CHECK_MESSAGE(is_taken(path), path);
        CHECK_FALSE(document.title.value.empty());
        CHECK_FALSE(document.sender.value.empty());
        by_the_clock += document.time.source == "when the file was changed" ? 1U : 0U;
        nobody += document.sender.value == "unknown" ? 1U : 0U;
    }
    CHECK(files > 100);
    CHECK(by_the_clock * 100 <= files); // at most one in a hundred has no time of its own
    CHECK(nobody * 100 <= files * 2);
}

#include "colony/tasks/task.hpp"
#include "colony/tasks/task_json.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::tasks;
using namespace std::chrono_literals;

namespace {
Task full_task() {
    const Timestamp now{1'750'000'000s};
    return {
        .id = "0197-a",
        .ref = "TASK-9",
        .title = "Measure \"it\"",
        .description = "line\nline",
        .state = State::in_progress,
        .priority = 0,
        .tags = {"perf", "urgent"},
        .skills = {"cpp"},
        .assigned_to = "BEE-001",
        .created_by = "Q33N",
        .created = now,
        .changed = now + 1ms,
        .revision = 7,
        .not_before = now + 1h,
        .repeat = "0 9 * * *",
        .time_zone = "Europe/Berlin",
        .depends_on = {"0197-b"},
        .unmet = {"0197-b"},
        .unique_key = "nightly",
        .attachments = {{"log", "file:///x", "sha256:1"}},
        .metadata = {{"sprint", 4}},
        .retry = {.attempts_max = 5, .first = 1s, .longest = 1min},
        .attempts = 2,
        .history =
            {{.token = 3,
              .bee = "BEE-001",
              .began = now,
              .ended = now + 1s,
              .end = "failed",
              .error = "no"}},
        .fence = 4,
        .lease = Lease{"BEE-001", "pid-7", 4, now + 5min, 5min},
        .claimed_at = now,
        .percent = 40,
        .note = "halfway",
        .completed_at = now,
        .outcome = "failure",
        .result = {{"rate", 12}},
        .error = "no",
        .approval = "a-1",
        .file_path = "hive/tasks/x.md",
        .file_synced_at = now};
}
} // namespace

TEST_CASE("a stored task reads back equal, full and empty") {
    CHECK(from_stored(to_stored(full_task())).value() == full_task());
    const Task small{.id = "i", .ref = "r", .title = "t", .created_by = "c"};
    CHECK(from_stored(to_stored(small)).value() == small);
}

TEST_CASE("a damaged stored task is an error, not a crash") {
    for (const auto* text : {"", "{}", "[]", R"({"id":1})", R"({"state":"odd"})"}) {
        CHECK_FALSE(from_stored(text));
    }
}

TEST_CASE("the token of a lease is only for its holder") {
    CHECK_FALSE(to_json(full_task()).at("lease").as_object().contains("token"));
    CHECK(to_json(full_task(), LeaseToken::shown).at("lease").at("token") == 4);
}

TEST_CASE("lanes hold the skills in one order, each once, and read back") {
    Task task;
    task.skills = {"sql", "cpp", "sql"};
    task.assigned_to = "BEE-1";
    const auto lane = read_lane(lane_of(task));
    CHECK(lane.assigned_to == "BEE-1");
    CHECK(lane.skills == Words{"cpp", "sql"});
    Task other = task;
    other.skills = {"cpp", "sql"};
    CHECK(lane_of(task) == lane_of(other));
    CHECK(read_lane(lane_of(Task{})).skills.empty());
}

TEST_CASE("the wait between attempts doubles up to the longest and never runs over") {
    const Retry retry{.attempts_max = 50, .first = 10s, .longest = 1h};
    CHECK(backoff(retry, 1) == 10s);
    CHECK(backoff(retry, 2) == 20s);
    CHECK(backoff(retry, 4) == 80s);
    CHECK(backoff(retry, 49) == 1h);
    CHECK(backoff({.first = Duration::max(), .longest = Duration::max()}, 40) == Duration::max());
    CHECK(backoff({.first = 0s}, 5) == 0s);
}

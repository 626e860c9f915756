#include "colony/tasks/zoneinfo/zoneinfo.hpp"
#include "kernel/timestamp.hpp"
#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {
using Watch = std::chrono::steady_clock;

std::int64_t token_of(const json::value& task) {
    return task.at("lease").at("token").to_number<std::int64_t>();
}
std::string path(const std::string& task, std::string_view act) {
    return fmt::format("/api/v1/tasks/{}/{}", task, act);
}
} // namespace

TEST_CASE("a task goes its way from pending to completed, by the paths of the ADR") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto made = colony.person().post(
        "/api/tasks", {{"title", "Measure"}, {"priority", 1}, {"tags", {"perf"}}}, 201);
    CHECK(text_at(made, "/state") == "pending");
    CHECK(text_at(made, "/ref") == "TASK-1");
    CHECK(text_at(made, "/createdBy") == "alice");

    const auto claimed = bee.post("/api/tasks/TASK-1/claim");
    CHECK(text_at(claimed, "/lease/holder") == "BEE-001");
    const auto token = token_of(claimed);
    const auto working = bee.post(
        "/api/tasks/TASK-1/progress", {{"token", token}, {"percent", 40}, {"note", "halfway"}});
    CHECK(text_at(working, "/state") == "in_progress");
    CHECK_FALSE(working.at("lease").as_object().contains("token"));
    const auto done =
        bee.post("/api/tasks/TASK-1/complete", {{"token", token}, {"result", {{"rate", 12}}}});
    CHECK(text_at(done, "/outcome") == "success");
    CHECK(done.at("result").at("rate") == 12);

    const auto listed = bee.get("/api/tasks?state=completed&tag=perf");
    REQUIRE(listed.at("items").as_array().size() == 1);
    CHECK(bee.get("/api/tasks?state=pending").at("items").as_array().empty());
    CHECK(bee.get("/api/v1/tasks/counts").at("completed") == 1);
    // What was said on the way is in the task's channel.
    const auto said = bee.get("/api/v1/channels/task:TASK-1/messages");
    CHECK(text_at(said, "/items/0/content") == "halfway");
    CHECK(text_at(said, "/items/0/type") == "progress");
    // And each step in the audit log.
    for (const auto* action : {"task.created", "task.claimed", "task.progress", "task.completed"}) {
        CHECK(colony.hive().await_audit(action).entity_id == text_at(made, "/id"));
    }
    CHECK(colony.hive().verify().good());
}

TEST_CASE("an illegal move is a conflict that says what is allowed") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto task = colony.make_task({});
    const auto refused = bee.post(path(task, "complete"), {{"token", 1}}, 409);
    CHECK(text_at(refused, "/code") == "illegal-move");
    CHECK(text_at(refused, "/state") == "pending");
    CHECK(refused.at("allowed") == json::array{"wait", "claim", "cancel"});
    const auto machine = bee.get("/api/v1/tasks/machine");
    CHECK(machine.at("states").as_array().size() == 10);
}

TEST_CASE("a bee that lost its lease cannot write, and its task is back within a second") {
    ColonyUnderTest colony;
    const auto slow = colony.bee("BEE-001");
    const auto quick = colony.bee("BEE-002");
    const auto task = colony.make_task({{"retry", {{"attempts", 2}}}});
    const auto old = token_of(slow.post(path(task, "claim"), {{"leaseFor", "1s"}}));
    const auto claimed_at = Watch::now();
    // The other one waits for work, and gets it.
    const auto got = quick.post("/api/v1/tasks/claim-next", {{"wait", "5s"}});
    const auto waited = Watch::now() - claimed_at;
    REQUIRE(got.at("items").as_array().size() == 1);
    CHECK(waited >= 900ms);
    CHECK(waited < 3s); // a lease of one second and a second; the rest is for a busy machine

    const auto late = slow.post(path(task, "complete"), {{"token", old}}, 409);
    CHECK(text_at(late, "/code") == "stale-lease");
    CHECK(text_at(slow.post(path(task, "progress"), json::object{}, 403), "/code") == "not-holder");
    const auto& item = got.at("items").at(0);
    CHECK(token_of(item) > old);
    quick.post(path(task, "complete"), {{"token", token_of(item)}});
    const auto history = quick.get("/api/v1/tasks/" + task).at("history");
    CHECK(text_at(history, "/0/end") == "lapsed");
    CHECK(text_at(history, "/1/end") == "completed");
}

TEST_CASE("heartbeats keep a lease, and a bee has to show its token") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto task = colony.make_task({});
    const auto token = token_of(bee.post(path(task, "claim"), {{"leaseFor", "1s"}}));
    for (int i = 0; i < 4; ++i) {
        std::this_thread::sleep_for(400ms);
        bee.post(path(task, "heartbeat"), {{"token", token}});
    }
    CHECK(text_at(bee.post(path(task, "heartbeat"), {}, 400), "/code") == "lease-token-needed");
    CHECK(text_at(bee.get("/api/v1/tasks/" + task), "/state") == "claimed");
    // Someone who is not two processes need not.
    const auto other = colony.make_task({});
    const auto person = colony.person("bob");
    person.post(path(other, "claim"));
    CHECK(text_at(person.post(path(other, "complete")), "/state") == "completed");
}

TEST_CASE("who waits for work gets the next task at once, by its skills") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    json::value got;
    std::jthread waiting{[&] {
        got = bee.post(
            "/api/v1/tasks/claim-next", {{"wait", "20s"}, {"skills", {"cpp"}}, {"count", 5}});
    }};
    std::this_thread::sleep_for(300ms);
    colony.make_task({{"skills", {"cobol"}}});
    const auto began = Watch::now();
    const auto wanted = colony.make_task({{"skills", {"cpp"}}});
    waiting.join();
    CHECK(Watch::now() - began < 1500ms); // woken, not found by looking every two seconds
    CHECK(text_at(got, "/items/0/ref") == wanted);
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().empty());
}

TEST_CASE("the most urgent first, then the oldest; what is for another is left alone") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    colony.make_task({{"ref", "usual"}});
    colony.make_task({{"ref", "later"}, {"priority", 4}});
    colony.make_task({{"ref", "urgent"}, {"priority", 0}});
    colony.make_task({{"ref", "theirs"}, {"priority", 0}, {"assignedTo", "BEE-002"}});
    colony.make_task({{"ref", "mine"}, {"priority", 1}, {"assignedTo", "BEE-001"}});
    const auto got = bee.post("/api/v1/tasks/claim-next", {{"count", 10}}).at("items").as_array();
    std::vector<std::string> refs;
    for (const auto& item : got) refs.push_back(text_at(item, "/ref"));
    CHECK(refs == std::vector<std::string>{"urgent", "mine", "usual", "later"});
    CHECK(text_at(bee.post(path("theirs", "claim"), {}, 409), "/code") == "assigned-to-another");
}

TEST_CASE("tasks made together wait for each other; circles and unknown ones are refused") {
    ColonyUnderTest colony;
    const auto person = colony.person();
    const auto bee = colony.bee("BEE-001");
    person.post(
        "/api/v1/tasks/bulk",
        {{"tasks",
          {{{"ref", "build"}, {"title", "b"}},
           {{"ref", "test"}, {"title", "t"}, {"dependsOn", {"build"}}},
           {{"ref", "ship"}, {"title", "s"}, {"dependsOn", {"build", "test"}}}}}},
        201);
    CHECK(text_at(bee.get("/api/v1/tasks/ship"), "/state") == "waiting");
    const auto first = bee.post("/api/v1/tasks/claim-next", {{"count", 10}}).at("items").as_array();
    REQUIRE(first.size() == 1);
    bee.post(
        "/api/v1/tasks/complete",
        {{"tasks", {{{"task", "build"}, {"token", token_of(first[0])}}}}});
    CHECK(text_at(bee.get("/api/v1/tasks/test"), "/state") == "pending");
    CHECK(bee.get("/api/v1/tasks/ship").at("waitingFor").as_array().size() == 1);

    const auto circle = person.post(
        "/api/v1/tasks/bulk",
        {{"tasks",
          {{{"ref", "a"}, {"title", "a"}, {"dependsOn", {"b"}}},
           {{"ref", "b"}, {"title", "b"}, {"dependsOn", {"a"}}}}}},
        400);
    CHECK(text_at(circle, "/code") == "dependency-cycle");
    CHECK(circle.at("cycle") == json::array{"a", "b", "a"});
    person.get("/api/v1/tasks/a", 404); // all or none
    const auto nothing =
        person.post("/api/v1/tasks", {{"title", "x"}, {"dependsOn", {"nil"}}}, 400);
    CHECK(text_at(nothing, "/code") == "unknown-dependency");
    const auto answer = person.send("PATCH", "/api/v1/tasks/build", {{"dependsOn", {"ship"}}});
    CHECK(answer.status == 400);
    CHECK(code_of(answer) == "dependency-cycle");
    CHECK(
        code_of(person.send("PATCH", "/api/v1/tasks/test", {{"dependsOn", {"test"}}})) ==
        "dependency-cycle");
}

TEST_CASE("attempts run out into the dead letter, and a redrive begins again") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto task =
        colony.make_task({{"tags", {"perf"}}, {"retry", {{"attempts", 2}, {"first", "0s"}}}});
    for (int i = 0; i < 2; ++i) {
        const auto token = token_of(bee.post(path(task, "claim")));
        bee.post(path(task, "fail"), {{"token", token}, {"error", "no luck"}});
    }
    const auto dead = bee.get("/api/v1/tasks/" + task);
    CHECK(text_at(dead, "/state") == "dead");
    CHECK(text_at(dead, "/error") == "no luck");
    CHECK(text_at(bee.post(path(task, "redrive"), {}, 403), "/code") == "not-yours");
    const auto driven = colony.person().post("/api/v1/tasks/redrive", {{"tag", "perf"}});
    CHECK(driven.at("items").as_array().size() == 1);
    CHECK(bee.get("/api/v1/tasks/" + task).at("attempts") == 0);
    // One that is not worth trying again.
    const auto token = token_of(bee.post(path(task, "claim")));
    const auto failed =
        bee.post(path(task, "fail"), {{"token", token}, {"error", "never"}, {"retryable", false}});
    CHECK(text_at(failed, "/state") == "failed");
}

TEST_CASE("a failed attempt waits before the next, and a scheduled task for its time") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto task = colony.make_task({{"retry", {{"first", "1s"}}}});
    const auto token = token_of(bee.post(path(task, "claim")));
    CHECK(
        text_at(bee.post(path(task, "fail"), {{"token", token}, {"error", "e"}}), "/state") ==
        "waiting");
    const auto again = bee.post("/api/v1/tasks/claim-next", {{"wait", "10s"}});
    CHECK(text_at(again, "/items/0/ref") == task);
    const auto later = colony.make_task({{"notBefore", "2126-01-01T00:00:00Z"}});
    CHECK(text_at(bee.get("/api/v1/tasks/" + later), "/state") == "waiting");
    // A recurring one is followed by the next of its kind.
    const auto hourly = colony.make_task({{"repeat", "1h"}, {"uniqueKey", "hourly"}});
    const auto held = token_of(bee.post(path(hourly, "claim")));
    bee.post(path(hourly, "complete"), {{"token", held}});
    const auto waiting = bee.get("/api/v1/tasks?state=waiting").at("items").as_array();
    REQUIRE(waiting.size() == 2);
    CHECK(text_at(waiting[0], "/repeat") == "1h");
    CHECK(text_at(waiting[0], "/ref") != hourly);
}

TEST_CASE("unique keys, revisions and idempotency keys keep out doubles") {
    ColonyUnderTest colony;
    const auto person = colony.person();
    const json::object wanted{{"title", "nightly"}, {"uniqueKey", "n"}};
    const auto first = person.post("/api/v1/tasks", wanted, 201);
    const auto twin = person.post("/api/v1/tasks", wanted, 409);
    CHECK(text_at(twin, "/code") == "duplicate");
    CHECK(text_at(twin, "/task") == text_at(first, "/id"));
    person.post(path(text_at(first, "/ref"), "cancel"));
    person.post("/api/v1/tasks", wanted, 201); // the key is free again

    const auto key = "Idempotency-Key: \"one\"\r\n";
    const auto once = person.post("/api/v1/tasks", {{"title", "once"}}, 201, key);
    const auto twice = person.post("/api/v1/tasks", {{"title", "once"}}, 201, key);
    CHECK(once.at("id") == twice.at("id"));

    const auto id = text_at(once, "/id");
    CHECK(
        person.send("PATCH", "/api/v1/tasks/" + id, {{"priority", 0}}, "If-Match: \"r1\"\r\n")
            .status == 200);
    CHECK(
        person.send("PATCH", "/api/v1/tasks/" + id, {{"priority", 1}}, "If-Match: \"r1\"\r\n")
            .status == 412);
    CHECK(person.get("/api/v1/tasks/" + id).at("priority") == 0);
}

TEST_CASE("block, unblock, release, cancel and reopen") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto person = colony.person();
    const auto task = colony.make_task({});
    auto token = token_of(bee.post(path(task, "claim")));
    CHECK(
        text_at(
            bee.post(path(task, "block"), {{"token", token}, {"note", "needs a key"}}),
            "/outcome") == "blocked");
    CHECK(
        text_at(person.post(path(task, "unblock"), {{"note", "here it is"}}), "/state") ==
        "pending");
    token = token_of(bee.post(path(task, "claim")));
    CHECK(bee.post(path(task, "release"), {{"token", token}}).at("attempts") == 0);
    token = token_of(bee.post(path(task, "claim")));
    CHECK(
        text_at(colony.person("bob").post(path(task, "release"), {}, 403), "/code") ==
        "not-holder");
    CHECK(text_at(colony.admin().post(path(task, "release")), "/state") == "pending");
    token = token_of(bee.post(path(task, "claim")));
    bee.post(path(task, "complete"), {{"token", token}});
    CHECK(
        text_at(person.post(path(task, "reopen"), {{"note", "not quite"}}), "/state") == "pending");
    CHECK(text_at(person.post(path(task, "cancel")), "/state") == "cancelled");
}

TEST_CASE("bad input is named and changes nothing") {
    ColonyUnderTest colony;
    const auto person = colony.person();
    const auto before = colony.hive().audit_size();
    for (const auto& bad : std::vector<json::value>{
             json::object{},
             {{"title", 7}},
             {{"title", "x"}, {"priority", 5}},
             {{"title", "x"}, {"colour", "red"}},
             {{"title", "x"}, {"notBefore", "soon"}},
             {{"title", "x"}, {"repeat", "sometimes"}},
             {{"title", "x"}, {"ref", "a/b"}},
             {{"title", "x"}, {"tags", {""}}},
             {{"title", "x"}, {"retry", {{"attempts", 0}}}}}) {
        const auto answer = person.send("POST", "/api/v1/tasks", bad);
        CHECK_MESSAGE(answer.status / 100 == 4, to_text(bad), answer.body);
        CHECK(answer.body.find("\"detail\"") != std::string::npos);
    }
    CHECK(person.get("/api/v1/tasks").at("items").as_array().empty());
    CHECK(colony.hive().audit_size() == before);
    colony.bee("B").post("/api/v1/tasks/TASK-1/claim", {{"leaseFor", "1d"}, {"bee", "B2"}}, 403);
    colony.bee("B").post("/api/v1/tasks/TASK-1/claim", {}, 404);
}

TEST_CASE("what the clock of a bee shows does not matter") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto task = colony.make_task({{"notBefore", "1999-01-01T00:00:00Z"}});
    const auto before = SystemClock{}.wall();
    const auto claimed = bee.post(
        path(task, "claim"), {{"leaseFor", "1m"}}, 200, "Date: Fri, 01 Jan 1999 00:00:00 GMT\r\n");
    const auto ends = parse_timestamp(text_at(claimed, "/lease/ends")).value();
    CHECK(ends >= before + 59s);
    CHECK(ends <= SystemClock{}.wall() + 61s);
    // Nobody can say themselves when something was done.
    bee.post(path(task, "heartbeat"), {{"token", token_of(claimed)}, {"at", "2126-01-01"}}, 400);
    const auto booked =
        bee.post("/api/v1/costs", {{"micros", 1}, {"at", "2126-01-01T00:00:00Z"}}, 201);
    CHECK(parse_timestamp(text_at(booked, "/at")).value() <= SystemClock{}.wall());
}

TEST_CASE("a recurring task is due by the clocks of its place, and says which those are") {
    colony::tasks::zoneinfo::ZoneInfo zones;
    ColonyUnderTest colony{{}, {}, [&](rest::ColonyParts& parts) { parts.zones = &zones; }};
    const auto alice = colony.person();
    const auto made = alice.post(
        "/api/v1/tasks",
        {{"title", "close the books"}, {"repeat", "0 9 * * *"}, {"timeZone", "Asia/Kolkata"}}, 201);
    CHECK(text_at(made, "/timeZone") == "Asia/Kolkata");
    const std::string path = "/api/v1/tasks/" + text_at(made, "/id");
    alice.post(path + "/claim");
    alice.post(path + "/complete");
    const auto next = alice.get("/api/v1/tasks?state=waiting");
    CHECK(text_at(next, "/items/0/timeZone") == "Asia/Kolkata");
    const std::string due = text_at(next, "/items/0/notBefore");
    CHECK_MESSAGE(due.find("T03:30:00Z") != std::string::npos, due);

    for (const json::object& bad : std::vector<json::object>{
             {{"title", "x"}, {"repeat", "0 9 * * *"}, {"timeZone", "Mars/Olympus"}},
             {{"title", "x"}, {"repeat", "0 9 * * *"}, {"timeZone", "../etc/passwd"}},
             {{"title", "x"}, {"repeat", "1h"}, {"timeZone", "Asia/Tokyo"}},
             {{"title", "x"}, {"timeZone", "Asia/Tokyo"}}}) {
        CHECK(text_at(alice.post("/api/v1/tasks", bad, 400), "/code") == "bad-time-zone");
    }
    const std::string waiting = "/api/v1/tasks/" + text_at(next, "/items/0/id");
    CHECK(alice.send("PATCH", waiting, {{"timeZone", "Asia/Tokyo"}}).status == 200);
    CHECK(alice.send("PATCH", waiting, {{"timeZone", "Asia/Tokio"}}).status == 400);
    // Without cron fields the zone goes as well.
    const auto hourly = alice.send("PATCH", waiting, {{"repeat", "1h"}});
    CHECK_MESSAGE(hourly.status == 200, hourly.body);
    CHECK_FALSE(parse_json(hourly.body)->as_object().contains("timeZone"));
    const json::object daily{{"repeat", "0 9 * * *"}, {"timeZone", "Asia/Tokyo"}};
    CHECK(alice.send("PATCH", waiting, daily).status == 200);
    const auto once = alice.send("PATCH", waiting, {{"repeat", ""}});
    CHECK_MESSAGE(once.status == 200, once.body);
    CHECK_FALSE(parse_json(once.body)->as_object().contains("timeZone"));
}

namespace {

// A tz database that somebody uninstalls.
class FleetingZones final : public colony::tasks::Zones {
public:
    Result<std::shared_ptr<const TimeZone>> find(std::string_view name) override {
        if (gone) return fail(Errc::unavailable, "there are no time zones any more");
        return zones_.find(name);
    }
    std::atomic<bool> gone = false;

private:
    colony::tasks::zoneinfo::ZoneInfo zones_;
};

} // namespace

TEST_CASE("a zone that disappears keeps no task from ending") {
    FleetingZones zones;
    ColonyUnderTest colony{{}, {}, [&](rest::ColonyParts& parts) { parts.zones = &zones; }};
    const auto ref = colony.make_task({{"repeat", "0 9 * * *"}, {"timeZone", "Asia/Tokyo"}});
    zones.gone = true;
    const auto alice = colony.person();
    alice.post("/api/v1/tasks/" + ref + "/claim");
    alice.post("/api/v1/tasks/" + ref + "/complete");
    const auto next = alice.get("/api/v1/tasks?state=waiting");
    CHECK(text_at(next, "/items/0/notBefore").find("T09:00:00Z") != std::string::npos);
    CHECK(text_at(next, "/items/0/note").starts_with("due by UTC: "));
}

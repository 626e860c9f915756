#include "tests/support/child_process.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <fstream>

using namespace hive;
using namespace hive::tests;

TEST_CASE("a task is made, taken, reported on and finished from a shell") {
    const RunningHive hive;
    const auto made =
        hive.run({"task", "create", "Measure it", "--priority", "1", "--tag", "perf"});
    CHECK_MESSAGE(made.exit_code == 0, made.err);
    CHECK(made.out == "TASK-1 is pending\n");
    CHECK(contains(hive.run({"task", "list", "--state", "pending"}).out, "Measure it"));
    REQUIRE(hive.run({"task", "create", "Later", "--priority", "3"}).exit_code == 0);
    const auto listed = hive.run({"task", "list", "--state", "pending", "--order", "next"}).out;
    CHECK(listed.find("Measure it") < listed.find("Later"));
    CHECK(hive.run({"task", "list", "--order", "oldest"}).exit_code == 2);
    const auto next = hive.run({"task", "next", "--tag", "perf"});
    CHECK(contains(next.out, "TASK-1 is claimed by "));
    CHECK(contains(next.out, "lease token 1"));
    CHECK(hive.run({"task", "next", "--tag", "perf"}).exit_code == 1); // nothing more to do
    CHECK(
        text_of(
            hive.ask({"task", "progress", "TASK-1", "--percent", "40", "--note", "half"}),
            "state") == "in_progress");
    CHECK(
        hive.run({"task", "complete", "TASK-1", "--result", "{\"rate\":12}"}).out ==
        "TASK-1 is completed\n");
    const auto shown = hive.run({"task", "show", "TASK-1"});
    CHECK(contains(shown.out, "outcome"));
    CHECK(contains(shown.out, "{\"rate\":12}"));
    // What is not allowed says what is.
    const auto refused = hive.run({"task", "claim", "TASK-1"});
    CHECK(refused.exit_code != 0);
    CHECK(contains(refused.err, "TASK-1 is completed"));
    CHECK(contains(hive.run({"message", "list", "task:TASK-1"}).out, "half"));
}

TEST_CASE("many tasks from a file, in their order") {
    const RunningHive hive;
    const std::string file = hive.home.path("tasks.yaml");
    std::ofstream{file}
        << "- {ref: build, title: Build}\n- {ref: ship, title: Ship, dependsOn: [build]}\n";
    const auto made = hive.run({"task", "create", "--file", file});
    CHECK_MESSAGE(made.exit_code == 0, made.err);
    CHECK(made.out == "build is pending\nship is waiting\n");
    CHECK(hive.run({"task", "create"}).exit_code == 2);
    CHECK(hive.run({"task", "complete", "build", "--result", "{"}).exit_code == 2);
}

TEST_CASE("talk and presence from a shell, and what happened as it happens") {
    const RunningHive hive;
    const auto seen =
        hive.shell("cd \"$(mktemp -d)\"; "
                   "\"$HIVE\" task watch > watched & W=$!; \"$HIVE\" audit tail > tailed & T=$!; "
                   "for i in $(seq 40); do \"$HIVE\" task create \"t$i\" >/dev/null; "
                   "[ -s watched ] && [ -s tailed ] && break; sleep 0.2; done; "
                   "kill $W $T; wait 2>/dev/null; cat watched tailed");
    CHECK_MESSAGE(contains(seen.out, "task.created"), seen.out, seen.err);
    CHECK(contains(seen.out, "task "));
    CHECK(hive.run({"message", "send", "general", "hello", "--tag", "#todo"}).exit_code == 0);
    CHECK(contains(hive.run({"message", "list", "general"}).out, "hello"));
    CHECK(contains(hive.run({"message", "list"}).out, "general"));
    CHECK(hive.run({"message", "send", "9bad", "x"}).exit_code != 0);
    CHECK(contains(hive.run({"bee", "heartbeat", "--status", "STANDBY"}).out, "STANDBY"));
    CHECK(contains(hive.run({"bee", "list"}).out, "STANDBY"));
    CHECK(hive.run({"bee", "show", "NOBODY"}).exit_code != 0);
}

TEST_CASE("a task is changed from a shell; only what is named changes") {
    const RunningHive hive;
    hive.run({"task", "create", "Old words", "--tag", "perf", "--assign-to", "BEE-1"});
    const auto changed =
        hive.ask({"task", "update", "TASK-1", "--title", "New words", "--priority", "0"});
    CHECK(text_of(changed, "title") == "New words");
    CHECK(changed.at("priority") == 0);
    CHECK(changed.at("tags") == json::array{"perf"});
    const auto cleared =
        hive.ask({"task", "update", "TASK-1", "--clear", "tags", "--clear", "assign-to"});
    CHECK_FALSE(cleared.contains("tags"));
    CHECK_FALSE(cleared.contains("assignedTo"));
    CHECK(hive.run({"task", "update", "TASK-1"}).exit_code == 2);
    CHECK(hive.run({"task", "update", "TASK-1", "--after", "NOTHING"}).exit_code == 2);
    CHECK(hive.run({"task", "update", "TASK-1", "--clear", "title"}).exit_code == 2);
    CHECK(hive.run({"task", "update", "TASK-9", "--priority", "0"}).exit_code != 0);
}

TEST_CASE("a recurring task has a time zone") {
    const RunningHive hive;
    const auto made = hive.ask(
        {"task", "create", "Report", "--repeat", "0 9 * * 1-5", "--time-zone", "Europe/Berlin"});
    CHECK(text_of(made, "timeZone") == "Europe/Berlin");
    CHECK(contains(hive.run({"task", "show", "TASK-1"}).out, "Europe/Berlin"));
    const auto bad = hive.run({"task", "update", "TASK-1", "--time-zone", "Europe/Atlantis"});
    CHECK(bad.exit_code == 2);
    CHECK(contains(bad.err, "there is no time zone 'Europe/Atlantis'"));
}

TEST_CASE("many tasks are finished and driven again at once, and all of them are counted") {
    const RunningHive hive;
    for (const auto* title : {"a", "b", "c"}) {
        hive.run({"task", "create", title, "--attempts", "1", "--tag", "perf"});
    }
    hive.run({"task", "next", "--count", "3"});
    const std::string file = hive.home.path("done.yaml");
    std::ofstream{file} << "- {task: TASK-1}\n- {task: TASK-2, result: {rate: 7}}\n";
    CHECK(
        hive.run({"task", "complete-all", file}).out ==
        "TASK-1 is completed\nTASK-2 is completed\n");
    std::ofstream{file} << "- {task: TASK-3}\n- {task: TASK-1}\n"; // one of them is over
    CHECK(hive.run({"task", "complete-all", file}).exit_code != 0);
    CHECK(hive.run({"task", "fail", "TASK-3", "--error", "e"}).out == "TASK-3 is dead\n");
    CHECK(hive.run({"task", "redrive-all", "--tag", "other"}).out.empty());
    CHECK(hive.run({"task", "redrive-all", "--tag", "perf"}).out == "TASK-3 is pending\n");
    CHECK(hive.ask({"task", "counts"}).at("completed") == 2);
    CHECK(contains(hive.run({"task", "counts"}).out, "pending"));
    CHECK(contains(hive.run({"task", "machine"}).out, "in_review"));
}

TEST_CASE("messages are looked at, threads followed and channels read from a shell") {
    const RunningHive hive;
    const std::string first = text_of(hive.ask({"message", "send", "general", "one"}), "id");
    hive.run({"message", "send", "general", "two", "--reply-to", first});
    CHECK(contains(hive.run({"message", "show", first}).out, "one"));
    const auto thread = hive.run({"message", "thread", first});
    CHECK(contains(thread.out, "one"));
    CHECK(contains(thread.out, "two"));
    CHECK(contains(hive.run({"message", "read", "general", "--up-to", first}).out, first));
    CHECK(hive.ask({"message", "list"}).at("items").at(0).at("unread") == 1);
    CHECK(hive.run({"message", "read", "general"}).exit_code == 0);
    CHECK(hive.ask({"message", "list"}).at("items").at(0).at("unread") == 0);
    CHECK(hive.run({"message", "read", "silence"}).exit_code != 0);
}

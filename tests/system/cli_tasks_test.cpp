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
    const auto next = hive.run({"task", "next", "--tag", "perf"});
    CHECK(contains(next.out, "TASK-1 is claimed by "));
    CHECK(contains(next.out, "lease token 1"));
    CHECK(hive.run({"task", "next"}).exit_code == 1); // nothing more to do
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

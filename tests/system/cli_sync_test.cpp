#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::tests;

namespace {

std::string made_deia(const Person& person) {
    const std::string deia = person.home.path("repo/.deia");
    std::filesystem::create_directories(deia + "/hive/tasks/BOT-002");
    std::ofstream{deia + "/hive/tasks/BOT-002/TASK-002-001-P1-mend.md"}
        << "# Mend the fence\n\n**Task ID:** TASK-002-001\n**From:** AGENT_003\n";
    return deia;
}

} // namespace

TEST_CASE("what the reader sees in a file, and why, without a server") {
    const Person person;
    const std::string file = made_deia(person) + "/hive/tasks/BOT-002/TASK-002-001-P1-mend.md";
    const auto told = person.run({"sync", "explain", file});
    CHECK_MESSAGE(told.exit_code == 0, told.err);
    CHECK(contains(told.out, "hive/tasks/BOT-002/TASK-002-001-P1-mend.md: task"));
    CHECK(contains(told.out, "BOT-003"));
    CHECK(contains(told.out, "bold header 'from', line 4"));
    CHECK(contains(told.out, "inbox directory"));
    const auto json = person.ask({"sync", "explain", file});
    CHECK(json.at("fields").at("priority").at("value").as_int64() == 1);
    CHECK(person.run({"sync", "explain", file, "--zone", "Mars"}).exit_code == 2);
    CHECK(person.run({"sync", "explain", "nowhere.md"}).exit_code != 0);
}

TEST_CASE("a hive beside a .deia directory keeps it in step, and says so") {
    const Person person;
    const std::string deia = made_deia(person);
    const RunningHive hive{{"--deia", deia}};
    const auto pulled = hive.run({"sync", "pull"});
    CHECK_MESSAGE(pulled.exit_code == 0, pulled.err);
    CHECK(contains(hive.run({"task", "list"}).out, "TASK-002-001-P1-mend"));
    CHECK(contains(hive.run({"sync", "status"}).out, "last-write"));
    hive.run({"task", "create", "By API"});
    const auto pushed = hive.run({"sync", "push"});
    CHECK_MESSAGE(pushed.exit_code == 0, pushed.err);
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator{deia + "/hive/tasks"})
        found = found || contains(entry.path().string(), "by-api");
    CHECK(found);
    CHECK(contains(hive.run({"sync", "push", "--dry-run"}).out, "Nothing was done."));
}

TEST_CASE("a hive without files says how to have them") {
    const RunningHive hive;
    CHECK(contains(hive.run({"sync", "status"}).out, "--deia"));
    const auto refused = hive.run({"sync", "pull"});
    CHECK(refused.exit_code != 0);
    CHECK(contains(refused.err, "colony.files.root"));
}

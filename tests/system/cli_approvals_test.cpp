#include "tests/support/child_process.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <thread>

using namespace hive;
using namespace hive::tests;

TEST_CASE("a rule is made, holds an act back, and the act happens when it is let go") {
    const RunningHive hive;
    const auto made = hive.run(
        {"approval", "rule", "create", "ask about cancelling", "--act", "task.cancel", "--role",
         "human", "--within", "1h", "--escalate-to", "root"});
    CHECK_MESSAGE(made.exit_code == 0, made.err);
    CHECK(contains(made.out, "ask about cancelling"));
    CHECK(contains(hive.run({"approval", "rule", "list"}).out, "task.cancel"));
    hive.run({"task", "create", "A task"});
    const auto held = hive.run({"task", "cancel", "TASK-1", "--note", "useless"});
    CHECK_MESSAGE(held.exit_code == 0, held.err);
    CHECK(contains(held.out, "waits for approval "));
    const std::string id = held.out.substr(19, held.out.size() - 20);
    CHECK(contains(hive.run({"approval", "list", "--state", "open"}).out, id));
    CHECK(contains(hive.run({"approval", "show", id}).out, "useless"));
    CHECK(hive.run({"approval", "list", "--mine", "--json"}).out == "{\"items\":[]}\n");
    const auto own = hive.run({"approval", "approve", id});
    CHECK(own.exit_code != 0);
    CHECK(contains(own.err, "own request"));
    CHECK(hive.run({"approval", "override", id}).exit_code == 2); // no reason
    const auto over = hive.run({"approval", "override", id, "--reason", "I am alone here"});
    CHECK_MESSAGE(contains(over.out, "is approved"), over.out, over.err);
    CHECK(contains(over.out, "done"));
    CHECK(contains(hive.run({"task", "list", "--state", "cancelled"}).out, "TASK-1"));
}

TEST_CASE("a swarm command that waits says so, and goes when it is let go") {
    const RunningHive hive;
    hive.run({"approval", "rule", "create", "swarms", "--act", "swarm.*", "--role", "human"});
    const std::string file = hive.home.path("swarm.yaml");
    std::ofstream{file} << "bees: [{role: echo, work: {in: {in: raw}}}]\n";
    const auto held = hive.run({"swarm", "create", "alpha", "--template", file, "--wait"});
    CHECK_MESSAGE(held.exit_code == 0, held.err);
    REQUIRE(contains(held.out, "waits for approval "));
    const std::string id = held.out.substr(19, held.out.size() - 20);
    CHECK(hive.run({"swarm", "show", "alpha"}).exit_code != 0);
    const auto over = hive.run({"approval", "override", id, "--reason", "alone"});
    CHECK_MESSAGE(contains(over.out, "on its way"), over.out, over.err);
    bool there = false;
    for (int i = 0; i < 150 && !there; ++i) {
        there = hive.run({"swarm", "show", "alpha"}).exit_code == 0;
        if (!there) std::this_thread::sleep_for(std::chrono::milliseconds{200});
    }
    CHECK(there);
    CHECK(text_of(hive.ask({"approval", "show", id}), "carry") == "done");
}

TEST_CASE("a question is asked, and withdrawn; a rule from a file is checked") {
    const RunningHive hive;
    const auto asked = hive.ask(
        {"approval", "ask", "May I?", "--link", "https://example.org/1", "--within", "1h"});
    const std::string id = text_of(asked, "id");
    CHECK(contains(hive.run({"approval", "show", id}).out, "https://example.org/1"));
    CHECK(hive.run({"approval", "deny", id}).exit_code != 0); // my own
    CHECK(contains(hive.run({"approval", "withdraw", id}).out, "is withdrawn"));
    CHECK(hive.run({"approval", "ask", "x", "--link", "ftp://example.org"}).exit_code != 0);

    const std::string file = hive.home.path("rule.yaml");
    std::ofstream{file} << "name: no bees in ops\neffect: deny\n"
                           "match: {acts: ['channel.*'], channels: [ops], from: [bee]}\n";
    const auto rule = hive.ask({"approval", "rule", "create", "--file", file});
    const std::string rule_id = text_of(rule, "id");
    CHECK(contains(hive.run({"approval", "rule", "show", rule_id}).out, "no bees in ops"));
    CHECK(hive.run({"approval", "rule", "remove", rule_id}).exit_code == 0);
    CHECK(hive.run({"approval", "rule", "remove", rule_id}).exit_code != 0);
    CHECK(hive.run({"approval", "rule", "create"}).exit_code == 2);
    CHECK(hive.run({"approval", "rule", "create", "n", "--act", "task.*"}).exit_code != 0);
}

TEST_CASE("a rule is changed from a shell; only what is named changes") {
    const RunningHive hive;
    const auto made = hive.ask(
        {"approval", "rule", "create", "cancelling", "--act", "task.cancel", "--tag", "hot",
         "--role", "human", "--within", "1h"});
    const std::string id = text_of(made, "id");
    const auto off = hive.ask({"approval", "rule", "update", id, "--disable", "--rank", "5"});
    CHECK(off.at("enabled") == false);
    CHECK(off.at("rank") == 5);
    CHECK(off.at("stages") == made.at("stages"));
    CHECK(off.at("match") == made.at("match"));
    const auto two = hive.ask(
        {"approval", "rule", "update", id, "--enable", "--role", "admin", "--quorum", "2", "--act",
         "task.reopen"});
    CHECK(two.at("stages").at(0).at("quorum") == 2);
    CHECK(two.at("match").at("acts") == json::array{"task.reopen"});
    CHECK(two.at("match").at("tags") == json::array{"hot"});
    CHECK(hive.run({"approval", "rule", "update", id, "--quorum", "3"}).exit_code == 2);
    CHECK(hive.run({"approval", "rule", "update", id, "--effect", "maybe"}).exit_code == 2);
    const auto gone = hive.run(
        {"approval", "rule", "update", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a17", "--enable"});
    CHECK(gone.exit_code != 0);
    CHECK_MESSAGE(contains(gone.err, "no rule"), gone.err);
}

TEST_CASE("evidence is added to a request from a shell") {
    const RunningHive hive;
    const std::string id = text_of(hive.ask({"approval", "ask", "May I?"}), "id");
    const auto added = hive.run(
        {"approval", "evidence", id, "--link", "https://example.org/7", "--text", "green"});
    CHECK_MESSAGE(added.exit_code == 0, added.err);
    CHECK(contains(added.out, "https://example.org/7"));
    CHECK(contains(hive.run({"approval", "show", id}).out, "green"));
    CHECK(hive.run({"approval", "evidence", id}).exit_code == 2);
}

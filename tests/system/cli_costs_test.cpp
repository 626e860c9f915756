#include "tests/support/child_process.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

TEST_CASE("costs are priced, booked and summed from a shell") {
    const RunningHive hive;
    const auto price =
        hive.run({"cost", "price", "create", "small-*", "input", "--micros", "3000000"});
    CHECK_MESSAGE(price.exit_code == 0, price.err);
    CHECK(contains(price.out, "3.00"));
    CHECK(contains(hive.run({"cost", "price", "list"}).out, "small-*"));
    hive.run({"task", "create", "A task"});
    const std::vector<std::string> record{"cost",    "record", "--task",  "TASK-1",
                                          "--bee",   "BEE-1",  "--model", "small-1",
                                          "--input", "1500",   "--once",  "c1"};
    const auto booked = hive.run(record);
    CHECK_MESSAGE(booked.exit_code == 0, booked.err);
    CHECK(contains(booked.out, "booked 0.0045 USD as "));
    CHECK(hive.run(record).out == booked.out); // once
    const std::string file = hive.home.path("usage.json");
    std::ofstream{file} << R"({"gen_ai.request.model": "small-2", "bee": "BEE-2",
                               "gen_ai.usage.input_tokens": 500})";
    CHECK(hive.run({"cost", "record", "--file", file}).exit_code == 0);
    CHECK(hive.run({"cost", "record"}).exit_code != 0); // of nothing
    CHECK(contains(hive.run({"cost", "list", "--task", "TASK-1"}).out, "BEE-1"));
    const auto sums = hive.ask({"cost", "summary", "--by", "bee"});
    CHECK(sums.at("items").as_array().size() == 2);
    CHECK(contains(hive.run({"cost", "summary", "--by", "model"}).out, "small-2"));
    CHECK(hive.run({"cost", "summary", "--by", "moon"}).exit_code != 0);
}

TEST_CASE("a budget is made, spent and removed from a shell") {
    const RunningHive hive;
    const auto made = hive.ask(
        {"cost", "budget", "create", "a day", "--scope", "bee", "--limit", "100", "--measure",
         "tokens", "--action", "ask", "--role", "human", "--within", "1h"});
    const std::string id = text_of(made, "id");
    CHECK(contains(hive.run({"cost", "budget", "list"}).out, "a day"));
    CHECK(hive.run({"cost", "record", "--bee", "BEE-1", "--input", "100"}).exit_code == 0);
    CHECK(contains(hive.run({"cost", "budget", "show", id}).out, "BEE-1"));
    CHECK(contains(hive.run({"approval", "list"}).out, "as much again"));
    CHECK(hive.run({"cost", "budget", "remove", id}).exit_code == 0);
    CHECK(hive.run({"cost", "budget", "remove", id}).exit_code != 0);
    CHECK(
        hive.run({"cost", "budget", "create", "x", "--scope", "bee", "--limit", "0"}).exit_code !=
        0);
}

TEST_CASE("a price is looked at and changed from a shell; only what is named changes") {
    const RunningHive hive;
    const auto made =
        hive.ask({"cost", "price", "create", "small-*", "input", "--micros", "3000000"});
    const std::string id = text_of(made, "id");
    CHECK(contains(hive.run({"cost", "price", "show", id}).out, "3.00 USD"));
    const auto changed = hive.ask({"cost", "price", "update", id, "--micros", "4000000"});
    CHECK(changed.at("micros") == 4'000'000);
    CHECK(text_of(changed, "from") == text_of(made, "from"));
    CHECK(text_of(changed, "model") == "small-*");
    const auto ended = hive.ask({"cost", "price", "update", id, "--to", "2126-01-01T00:00:00Z"});
    CHECK(text_of(ended, "to") == "2126-01-01T00:00:00Z");
    const auto backwards =
        hive.run({"cost", "price", "update", id, "--to", "1999-01-01T00:00:00Z"});
    CHECK(backwards.exit_code == 2);
    CHECK(contains(backwards.err, "ends before it begins"));
    const auto gone = hive.run(
        {"cost", "price", "update", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a17", "--micros", "1"});
    CHECK(gone.exit_code != 0);
    CHECK(contains(gone.err, "there is no price"));
}

TEST_CASE("a budget is changed from a shell, and money in another currency is not counted") {
    const RunningHive hive{{"--colony-currency", "EUR"}};
    const auto made = hive.ask(
        {"cost", "budget", "create", "a day", "--scope", "bee", "--limit", "1000000", "--action",
         "ask", "--role", "admin"});
    const std::string id = text_of(made, "id");
    CHECK(text_of(made, "currency") == "EUR");
    const auto changed =
        hive.ask({"cost", "budget", "update", id, "--limit", "2000000", "--disable"});
    CHECK(changed.at("limit") == 2'000'000);
    CHECK(changed.at("enabled") == false);
    CHECK(changed.at("deciders").at("roles") == json::array{"admin"});
    CHECK(hive.ask({"cost", "budget", "update", id, "--enable"}).at("enabled") == true);
    CHECK(hive.run({"cost", "budget", "update", id, "--enable", "--disable"}).exit_code == 2);
    CHECK(hive.run({"cost", "budget", "update", id, "--limit", "0"}).exit_code == 2);
    CHECK(hive.run({"cost", "record", "--bee", "B", "--micros", "400000"}).exit_code == 0);
    const auto foreign =
        hive.run({"cost", "record", "--bee", "B", "--micros", "700000", "--currency", "USD"});
    CHECK_MESSAGE(foreign.exit_code == 0, foreign.err);
    CHECK(contains(foreign.out, "booked 0.70 USD as "));
    CHECK(contains(foreign.out, "not counted by the budget 'a day', which is in EUR"));
    CHECK(contains(hive.run({"cost", "summary", "--by", "bee"}).out, "0.40 EUR, 0.70 USD"));
    CHECK(contains(hive.run({"cost", "budget", "show", id}).out, "0.70 USD"));
    CHECK(hive.run({"cost", "record", "--micros", "1", "--currency", "euro"}).exit_code == 2);
}

TEST_CASE("a run of a swarm books the CPU time of its bees when it ends") {
    const RunningHive hive;
    const std::string file = hive.home.path("swarm.yaml");
    std::ofstream{file}
        << "bees:\n"
           "- {role: generator, work: {out: {out: raw}}, config: {inputs: {type: SCHEDULER,\n"
           "   scheduler: {ratePerSec: 2000}}, message: {bodyType: SIMPLE, body: hi}}}\n"
           "- {role: echo, work: {in: {in: raw}}}\n";
    const auto created =
        hive.run({"swarm", "create", "alpha", "--template", file, "--start", "--wait"});
    REQUIRE_MESSAGE(created.exit_code == 0, created.out, created.err);
    std::this_thread::sleep_for(500ms); // something to do
    REQUIRE(hive.run({"swarm", "remove", "alpha", "--wait"}).exit_code == 0);
    json::array found;
    for (int i = 0; i < 100 && found.empty(); ++i) {
        found = hive.ask({"cost", "list", "--model", "swarm"}).at("items").as_array();
        if (found.empty()) std::this_thread::sleep_for(200ms);
    }
    REQUIRE(found.size() == 1);
    const json::object& booked = found.front().as_object();
    CHECK(booked.at("cpuSeconds").to_number<double>() > 0);
    CHECK(text_of(booked, "run").starts_with("run-"));
    CHECK(booked.at("metadata").at("swarm") == "alpha");
    CHECK(text_of(booked, "key") == "run:" + text_of(booked, "run"));
    CHECK(text_of(booked, "recordedBy") == "hive");
}

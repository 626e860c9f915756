// Scenarios of a server, and swarms that are made of them, as people and scripts use them.
#include "tests/support/places.hpp"
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

using namespace hive;
using namespace hive::tests;

namespace {

std::string example(const std::string& name) {
    return in_source("scenarios/" + name);
}

// The bees of a swarm, as the server has them.
json::array bees_of(RestHive& hive, const std::string& swarm) {
    return hive.swarm(swarm).at("template").at("bees").as_array();
}

const std::vector<std::string> from_hello{"swarm", "create", "alpha", "--scenario",
                                          "hello", "--sut",  "local"};

} // namespace

TEST_CASE("the examples of the project are scenarios of a server, every one sound") {
    RestHive hive{{"--scenarios", in_source("scenarios")}};
    const auto items = hive.get("/scenarios").items();
    CHECK(items.size() >= 11);
    for (const auto& item : items) {
        CAPTURE(to_text(item));
        CHECK(item.at("valid") == true);
    }
    const auto shown = hive.get("/scenarios/hello").body();
    CHECK(shown.at("model").at("bees").as_array().size() >= 3);
}

TEST_CASE("a template is tried out on the server as it is on the command line") {
    RestHive hive{{"--scenarios", in_source("scenarios")}};
    const auto here = hive.hive.run(
        {"scenario", "render", example("hello"), "--bee", "generator", "--seed", "7"});
    REQUIRE_MESSAGE(here.exit_code == 0, here.err);
    const auto there = hive.post("/scenarios/hello/render", R"({"bee":"generator","seed":7})");
    REQUIRE_MESSAGE(there.status == 200, there.text);
    CHECK(there.member("text") + "\n" == here.out);
    const auto none = hive.post("/scenarios/hello/render", R"({"bee":"nobody"})");
    CHECK(none.status == 400);
    CHECK(contains(none.text, "there is no bee 'nobody'"));
}

TEST_CASE("the capabilities of a server have every kind of bee and of what they are fed with") {
    RestHive hive;
    const auto all = hive.get("/capabilities").body();
    const auto names = [&](const char* side, const char* name) {
        std::vector<std::string> out;
        for (const auto& each : all.at(side).as_array()) {
            out.emplace_back(each.at(name).as_string());
        }
        return out;
    };
    CHECK(
        names("inputs", "type") == std::vector<std::string>{"csv", "rabbit", "redis", "scheduler"});
    CHECK(names("outputs", "type") == std::vector<std::string>{"rabbit", "redis"});
    CHECK(names("interceptors", "type") == std::vector<std::string>{"redisUploader", "templating"});
    const auto bees = names("bees", "role");
    for (const char* role : {"generator", "moderator", "processor", "postprocessor", "trigger"}) {
        CAPTURE(role);
        CHECK(std::ranges::find(bees, role) != bees.end());
    }
    const auto printed = hive.hive.run({"scenario", "schema", "--capabilities"});
    CHECK(object_in(printed.out) == all);
}

TEST_CASE("a swarm is made of a scenario of the server, or of one that lies here") {
    RestHive hive{{"--scenarios", in_source("scenarios")}};
    auto args = from_hello;
    args.insert(
        args.end(), {"--set", "generator.inputs.scheduler.ratePerSec=7", "--endpoint",
                     "default=http://127.0.0.1:9", "--wait"});
    const auto made = hive.hive.run(args);
    REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    const auto stored = bees_of(hive, "alpha");
    CHECK(stored.at(0).at("config").at("inputs").at("scheduler").at("ratePerSec") == 7);
    CHECK(contains(to_text(stored), "http://127.0.0.1:9"));
    args[2] = "beta";
    args[4] = example("hello");
    const auto local = hive.hive.run(args);
    REQUIRE_MESSAGE(local.exit_code == 0, local.err);
    CHECK(bees_of(hive, "beta") == stored);
    const auto runs = hive.get("/runs?swarm=alpha").text;
    CHECK(contains(runs, R"("scenario":"hello")"));
}

TEST_CASE("what is wrong with a scenario is told with its place by whoever compiles it") {
    RestHive hive;
    const std::string text = "id: a\nbees:\n  - role: generatr\n";
    const auto put = hive.post(
        "/scenarios", to_text(json::object{{"id", "bad"}, {"files", {{"scenario.yaml", text}}}}));
    REQUIRE_MESSAGE(put.status == 201, put.text);
    CHECK(std::filesystem::exists(hive.hive.data() + "/scenarios/bad/scenario.yaml"));
    const auto there = hive.hive.run({"swarm", "create", "alpha", "--scenario", "bad"});
    CHECK(there.exit_code == 2);
    CHECK_MESSAGE(contains(there.err, "scenario.yaml:3:11: "), there.err);
    CHECK(contains(there.err, "did you mean 'generator'?"));
    const auto here = hive.hive.run(
        {"swarm", "create", "alpha", "--scenario", hive.hive.home.write("bad.yaml", text)});
    CHECK(here.exit_code == 2);
    CHECK_MESSAGE(contains(here.err, "bad.yaml:3:11"), here.err);
    CHECK(hive.get("/swarms/alpha").status == 404);
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"swarm", "create", "a"},
             {"swarm", "create", "a", "--scenario", "x", "--template", "y.yaml"},
             {"swarm", "create", "a", "--template", "y.yaml", "--sut", "z"}}) {
        CHECK(hive.hive.run(wrong).exit_code == 2);
    }
}

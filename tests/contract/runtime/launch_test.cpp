#include "tests/contract/runtime/scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::contract;

TEST_CASE("a launched component runs and is listed") {
    Scene scene;
    const SystemClock clock;
    const Timestamp before = clock.wall();
    const auto bee = scene.launch_settled("idle", "bee");
    const auto all = scene.runtime().running();
    REQUIRE(all.has_value());
    REQUIRE(all->size() == 1);
    CHECK(all->front().name == bee);
    CHECK(all->front().since >= before);
    CHECK(all->front().since <= clock.wall());
    CHECK(scene.exits().all().empty());
}

TEST_CASE("a component gets the environment it is launched with") {
    Scene scene;
    const auto bee = named("idle", "bee");
    Awaited launched;
    scene.runtime().launch({.name = bee, .environment = {{"SAYING", "a=b c"}}}, launched.done());
    REQUIRE(launched.get().has_value());
    CHECK(eventually([&] { return scene.place().saying_of(bee) == "a=b c"; }));
}

TEST_CASE("to launch what lives already is harmless") {
    Scene scene;
    const auto bee = scene.launch_settled("idle", "bee");
    const auto since = scene.runtime().running()->front().since;
    const auto pid = scene.runtime().running()->front().pid;
    CHECK(scene.launch(bee).has_value());
    REQUIRE(scene.running() == 1);
    CHECK(scene.runtime().running()->front().since == since);
    CHECK(scene.runtime().running()->front().pid == pid);
    CHECK(scene.exits().all().empty());
}

TEST_CASE("an instance that lives in one role is not launched in another") {
    Scene scene;
    scene.launch_settled("idle", "bee");
    const auto refused = scene.launch(named("stubborn", "bee"));
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().detail.find("as idle") != std::string::npos);
    CHECK(scene.running() == 1);
}

TEST_CASE("instances of one name live side by side in two swarms") {
    Scene scene;
    REQUIRE(scene.launch(named("idle", "bee")).has_value());
    REQUIRE(scene.launch(named("stubborn", "bee", "other")).has_value());
    CHECK(scene.running() == 2);
}

TEST_CASE("who launches an unknown role learns the reason") {
    Scene scene;
    const auto launched = scene.launch(named("unheard-of", "bee"));
    // Where it is found out only by the component itself, the reason comes with its exit.
    std::string reason;
    if (!launched) {
        reason = launched.error().detail;
    } else {
        const auto exits = scene.exits().wait_for(1);
        REQUIRE(exits.size() == 1);
        CHECK(exits[0].failed);
        for (const auto& line : exits[0].last_lines) reason += line;
    }
    CHECK(reason.find("there is no role 'unheard-of'") != std::string::npos);
    CHECK(scene.running() == 0);
}

TEST_CASE("many components are launched and stopped at once") {
    Scene scene;
    const std::size_t many = scene.place().many();
    std::vector<Awaited> launched(many);
    for (std::size_t i = 0; i < many; ++i) {
        scene.runtime().launch(
            {.name = named("idle", "bee-" + std::to_string(i))}, launched[i].done());
    }
    for (const auto& one : launched) REQUIRE(one.get().has_value());
    CHECK(scene.running() == many);
    REQUIRE(scene.stop_all(runtime::Which::everything).has_value());
    CHECK(scene.running() == 0);
    CHECK(scene.exits().all().empty());
    for (const auto& one : launched) CHECK(one.count() == 1);
}

TEST_CASE("a runtime is used from several threads at once") {
    Scene scene;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&scene, i] {
            const auto name = named("idle", "bee-" + std::to_string(i % 2));
            for (int round = 0; round < 5; ++round) {
                Awaited launched;
                Awaited stopped;
                scene.runtime().launch({.name = name}, launched.done());
                scene.runtime().stop(name, 0s, stopped.done());
                CHECK(stopped.get().has_value());
                const Status status = launched.get();
                // The other thread's stop may have called it off.
                if (!status) CHECK(status.error().code == Errc::conflict);
            }
        });
    }
    threads.clear();
    CHECK(eventually([&] { return scene.running() == 0; }));
    CHECK(scene.exits().all().empty());
}

TEST_CASE("whatever was asked is answered once, also when the runtime goes away") {
    Scene scene;
    const auto stubborn = scene.launch_settled("stubborn", "bee");
    std::vector<Awaited> answers(20);
    for (std::size_t i = 0; i < answers.size(); i += 2) {
        scene.runtime().launch(
            {.name = named("idle", "bee-" + std::to_string(i))}, answers[i].done());
        scene.runtime().stop(stubborn, long_grace, answers[i + 1].done());
    }
    scene.close_runtime();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        CHECK(answers[i].count() == 1);
        const Status status = answers[i].get();
        if (!status || i % 2 == 1) {
            REQUIRE(!status.has_value());
            CHECK(status.error().code == Errc::closed);
        }
    }
}

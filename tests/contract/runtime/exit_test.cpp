#include "tests/contract/runtime/scene.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace hive;
using namespace hive::contract;

TEST_CASE("a component that fails is told once, with its cause") {
    Scene scene;
    const auto bee = named("fails", "bee");
    REQUIRE(scene.launch(bee).has_value());
    const auto exits = scene.exits().wait_for(1);
    REQUIRE(exits.size() == 1);
    CHECK(exits[0].name == bee);
    CHECK(exits[0].failed);
    CHECK(exits[0].cause == "exit code 3");
    CHECK(!scene.runs(bee));
    std::this_thread::sleep_for(moment);
    CHECK(scene.exits().all().size() == 1);
}

TEST_CASE("a component that ends well did not fail") {
    Scene scene;
    REQUIRE(scene.launch(named("finishes", "bee")).has_value());
    const auto exits = scene.exits().wait_for(1);
    REQUIRE(exits.size() == 1);
    CHECK(!exits[0].failed);
    CHECK(exits[0].cause == "exit code 0");
    std::this_thread::sleep_for(moment);
    CHECK(scene.exits().all().size() == 1);
}

TEST_CASE("every watcher is told, until its subscription ends") {
    Scene scene;
    auto other = std::make_unique<Exits>(scene.runtime());
    REQUIRE(scene.launch(named("fails", "first")).has_value());
    CHECK(other->wait_for(1).size() == 1);
    other.reset(); // it would be written to after its end otherwise
    REQUIRE(scene.launch(named("fails", "second")).has_value());
    CHECK(scene.exits().wait_for(2).size() == 2);
}

TEST_CASE("a component that ended can be launched again, also by who is being told") {
    Scene scene;
    const auto bee = named("fails", "bee");
    std::atomic<int> told{0};
    const auto again = scene.runtime().watch([&](const runtime::Exit&) {
        if (++told < 5) scene.runtime().launch({.name = bee}, nullptr);
    });
    REQUIRE(scene.launch(bee).has_value());
    CHECK(scene.exits().wait_for(5).size() == 5);
    CHECK(eventually([&] { return scene.running() == 0; }));
}

TEST_CASE("a watcher may end its own subscription while it is told") {
    Scene scene;
    std::atomic<int> told{0};
    Subscription subscription;
    subscription = scene.runtime().watch([&](const runtime::Exit&) {
        ++told;
        subscription.reset();
    });
    REQUIRE(scene.launch(named("fails", "first")).has_value());
    REQUIRE(scene.exits().wait_for(1).size() == 1);
    REQUIRE(scene.launch(named("fails", "second")).has_value());
    REQUIRE(scene.exits().wait_for(2).size() == 2);
    CHECK(eventually([&] { return told == 1; }));
}

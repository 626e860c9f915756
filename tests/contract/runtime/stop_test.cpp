#include "tests/contract/runtime/scene.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::contract;
using runtime::Which;

TEST_CASE("a component that is told to stop is gone once that is answered, and no exit is told") {
    Scene scene;
    const auto bee = scene.launch_settled("idle", "bee");
    const auto other = scene.launch_settled("idle", "other");
    REQUIRE(scene.stop(bee).has_value());
    CHECK(!scene.runs(bee));
    CHECK(scene.runs(other));
    std::this_thread::sleep_for(moment);
    CHECK(scene.exits().all().empty());
}

TEST_CASE("a component that does not listen is ended by force once its grace is over") {
    Scene scene;
    const auto bee = scene.launch_settled("stubborn", "bee");
    CHECK(scene.stop(bee, 100ms).has_value());
    CHECK(!scene.runs(bee));
    CHECK(scene.exits().all().empty());
}

TEST_CASE("of two who stop a component both are answered, and the shorter grace counts") {
    Scene scene;
    const auto bee = scene.launch_settled("stubborn", "bee");
    Awaited patient;
    Awaited hasty;
    scene.runtime().stop(bee, long_grace, patient.done());
    std::this_thread::sleep_for(moment);
    CHECK(!patient.is_there());
    CHECK(scene.runs(bee));
    scene.runtime().stop(bee, 50ms, hasty.done());
    CHECK(hasty.get().has_value());
    CHECK(patient.get().has_value());
    CHECK(!scene.runs(bee));
}

TEST_CASE("a grace without end is one") {
    Scene scene;
    const auto bee = scene.launch_settled("stubborn", "bee");
    Awaited stopped;
    scene.runtime().stop(bee, Duration::max(), stopped.done());
    std::this_thread::sleep_for(moment);
    CHECK(!stopped.is_there());
    CHECK(scene.stop(bee, Duration::min()).has_value());
    CHECK(stopped.get().has_value());
}

TEST_CASE("what is not there is gone") {
    Scene scene;
    CHECK(scene.stop(named("idle", "nobody")).has_value());
    CHECK(scene.stop_all(Which::everything).has_value());
    const auto bee = scene.launch_settled("idle", "bee");
    CHECK(scene.stop(named("stubborn", "bee")).has_value()); // of another role
    CHECK(scene.runs(bee));
    REQUIRE(scene.stop(bee).has_value());
    CHECK(scene.stop(bee).has_value());
}

TEST_CASE("what ended by itself is gone, too") {
    Scene scene;
    const auto bee = named("fails", "bee");
    REQUIRE(scene.launch(bee).has_value());
    REQUIRE(scene.exits().wait_for(1).size() == 1);
    CHECK(scene.stop(bee).has_value());
}

TEST_CASE("all bees of a swarm are stopped, and nothing else") {
    Scene scene;
    const auto controller = scene.launch_settled("swarm-controller", "marshal");
    scene.launch_settled("idle", "first");
    scene.launch_settled("stubborn", "second");
    const auto stranger = named("idle", "bee", "other");
    REQUIRE(scene.launch(stranger).has_value());
    REQUIRE(scene.stop_all(Which::bees, 50ms).has_value());
    CHECK(scene.running() == 2);
    CHECK(scene.runs(controller));
    CHECK(scene.runs(stranger));
    CHECK(scene.exits().all().empty());
}

TEST_CASE("everything of a swarm is stopped, its controller too") {
    Scene scene;
    scene.launch_settled("swarm-controller", "marshal");
    scene.launch_settled("idle", "first");
    scene.launch_settled("stubborn", "second");
    const auto stranger = named("idle", "bee", "other");
    REQUIRE(scene.launch(stranger).has_value());
    REQUIRE(scene.stop_all(Which::everything, 50ms).has_value());
    CHECK(scene.running() == 1);
    CHECK(scene.runs(stranger));
    CHECK(scene.exits().all().empty());
}

TEST_CASE("what is launched while it is being stopped lives anew") {
    Scene scene;
    const auto bee = scene.launch_settled("stubborn", "bee");
    const auto since = scene.runtime().running()->front().since;
    Awaited stopped;
    Awaited launched;
    scene.runtime().stop(bee, 100ms, stopped.done());
    scene.runtime().launch({.name = bee}, launched.done());
    CHECK(stopped.get().has_value());
    CHECK(launched.get().has_value());
    REQUIRE(scene.runs(bee));
    CHECK(scene.runtime().running()->front().since > since);
    CHECK(scene.exits().all().empty());
}

TEST_CASE("a stop calls off the launch that waits for the end of an earlier one") {
    Scene scene;
    const auto bee = scene.launch_settled("stubborn", "bee");
    Awaited first;
    Awaited launched;
    Awaited second;
    scene.runtime().stop(bee, long_grace, first.done());
    scene.runtime().launch({.name = bee}, launched.done());
    scene.runtime().stop(bee, 50ms, second.done());
    CHECK(first.get().has_value());
    CHECK(second.get().has_value());
    const Status status = launched.get();
    REQUIRE(!status.has_value());
    CHECK(status.error().code == Errc::conflict);
    CHECK(scene.running() == 0);
}

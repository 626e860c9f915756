#include "tests/simulation/puppets.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace hive;
using namespace hive::simulation;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

namespace {

World::Check never_holds(const char* why) {
    return [why]() -> std::optional<std::string> { return why; };
}

struct Thrower final : Component {
    explicit Thrower(Host& host) {
        host.after(1s, [] { throw std::runtime_error{"out of honey"}; });
    }
};

// Ticks for ever without letting time pass.
struct Spinner final : Component {
    explicit Spinner(Host& its_host) : host{its_host} { spin(); }
    void spin() {
        host.after(0s, [this] { spin(); });
    }
    Host& host;
};

template <class T>
Factory a() {
    return [](Host& host) { return std::make_unique<T>(host); };
}

} // namespace

TEST_CASE("a run stops at a time, at a condition, after a number of steps, or when all is done") {
    World world{{}};
    int done = 0;
    for (int i = 1; i <= 5; ++i) world.at(TimePoint{i * 1s}, [&] { ++done; });
    CHECK(world.run_until({.time = TimePoint{1500ms}}) == Stop::time);
    CHECK(world.clock().now() == TimePoint{1500ms});
    CHECK(done == 1);
    CHECK(world.run_until({.condition = [&] { return done == 3; }}) == Stop::condition);
    CHECK(world.clock().now() == TimePoint{3s});
    CHECK(world.run_until({.steps = 1}) == Stop::steps);
    CHECK(done == 4);
    CHECK(world.run_until({}) == Stop::idle);
    CHECK(world.clock().now() == TimePoint{5s});
    CHECK(world.report().steps == 5);
}

TEST_CASE("a violated rule stops the run at once and says what, when and at which step") {
    World world{{}};
    int bees = 3;
    for (int i = 1; i <= 5; ++i) world.at(TimePoint{i * 1s}, [&] { --bees; });
    world.always("there is a bee", [&]() -> std::optional<std::string> {
        if (bees > 0) return std::nullopt;
        return "none is left";
    });
    const auto report = world.run({});
    CHECK(report.violation == Violation{"there is a bee", "none is left", 3, TimePoint{3s}});
    CHECK(bees == 0);
}

TEST_CASE("a goal may be missed in the storm and must be reached in the calm") {
    World reached{{}};
    bool here = false;
    reached.at(TimePoint{30s}, [&] { here = true; });
    reached.eventually("it comes", [&]() -> std::optional<std::string> {
        if (here) return std::nullopt;
        return "it is not here";
    });
    const auto fine = reached.run({.storm = 20s, .patience = 60s, .linger = 5s});
    CHECK_FALSE(fine.violation);
    CHECK(fine.ended_at == TimePoint{35s});

    World missed{{}};
    missed.eventually("it comes", never_holds("it is not here"));
    const auto late = missed.run({.storm = 20s, .patience = 60s});
    REQUIRE(late.violation);
    CHECK(late.violation->rule == "it comes");
    CHECK(late.violation->at == TimePoint{80s});
}

TEST_CASE("a goal that is lost again while the world lingers is a violation") {
    World world{{}};
    bool here = true;
    world.at(TimePoint{22s}, [&] { here = false; });
    world.eventually("it stays", [&]() -> std::optional<std::string> {
        if (here) return std::nullopt;
        return "it went";
    });
    CHECK(world.run({.storm = 20s, .linger = 5s}).violation.has_value());
}

TEST_CASE("a component that throws violates a rule instead of ending the program") {
    World world{{}};
    world.add("thrower", a<Thrower>());
    const auto report = world.run({});
    REQUIRE(report.violation);
    CHECK(report.violation->detail == "out of honey");
    CHECK(report.violation->at == TimePoint{1s});
}

TEST_CASE("a livelock ends at the step limit and is called one") {
    World world{{}};
    world.add("spinner", a<Spinner>());
    const auto report = world.run({.steps_max = 1000});
    REQUIRE(report.violation);
    CHECK(report.violation->rule == "the world comes to rest");
}

TEST_CASE("timers fire in time, can be cancelled, and die with their component") {
    Puppets puppets;
    puppets.enter("one");
    Words fired;
    auto& host = puppets.host("one");
    host.after(1s, [&] { fired.emplace_back("first"); });
    host.cancel(host.after(2s, [&] { fired.emplace_back("cancelled"); }));
    host.after(4s, [&] { fired.emplace_back("of the dead"); });
    puppets.pass(3s);
    puppets.world.kill("one");
    puppets.pass(3s);
    CHECK(fired == Words{"first"});
}

TEST_CASE("a component that restarts has its disk and nothing else") {
    Puppets puppets;
    puppets.enter("one");
    puppets.host("one").disk().write("key", "value");
    puppets.host("one").disk().write("gone", "value");
    puppets.host("one").disk().erase("gone");
    const auto first_draw = puppets.host("one").random()();
    puppets.world.kill("one");
    CHECK_FALSE(puppets.world.lives("one"));
    puppets.world.restart("one");
    CHECK(puppets.host("one").disk().read("key") == "value");
    CHECK_FALSE(puppets.host("one").disk().read("gone"));
    CHECK(puppets.host("one").random()() != first_draw);
}

TEST_CASE("calm starts what was killed but not what was retired") {
    Puppets puppets;
    puppets.enter("killed");
    puppets.enter("retired");
    puppets.world.kill("killed");
    puppets.world.retire("retired");
    puppets.world.calm();
    CHECK(puppets.world.lives("killed"));
    CHECK_FALSE(puppets.world.lives("retired"));
    puppets.world.restart("retired");
    CHECK(puppets.world.lives("retired"));
}

TEST_CASE("a component may be added by another while the world runs") {
    Puppets puppets;
    puppets.enter("queen");
    puppets.host("queen").after(1s, [&] { puppets.add("bee"); });
    puppets.pass(2s);
    CHECK(puppets.world.knows("bee"));
    CHECK(puppets.world.lives("bee"));
}

TEST_CASE("observers see what the broker took and who sent it") {
    Puppets puppets;
    Words seen;
    puppets.world.watch([&](const Sighting& sighting) {
        seen.push_back(std::string{sighting.from} + " " + sighting.message.body);
    });
    puppets.enter("one");
    REQUIRE(puppets.say("one", "k", "1"));
    CHECK(seen.empty());
    puppets.pass(1s);
    CHECK(seen == Words{"one 1"});
}

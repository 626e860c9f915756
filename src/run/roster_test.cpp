#include "run/course.hpp"
#include "run/recorder.hpp"
#include "run/roster.hpp"
#include "tests/support/seen_swarm.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;
using tests::SeenSwarm;

namespace {

constexpr auto generator = "run-generator-1";
constexpr auto post = "run-postprocessor-1";

// The two bees of a seen swarm, of which some do not answer a look.
struct HardOfHearing {
    Roster roster{{generator, post}};

    Sight look(const SeenSwarm& swarm, Duration at, const std::set<std::string>& mute = {}) {
        roster.ask();
        Sight sight = swarm.at(at);
        for (const BeeSight& bee : sight.bees) {
            if (!mute.contains(bee.instance)) roster.hear(bee);
        }
        roster.tell(sight);
        return sight;
    }
};

} // namespace

TEST_SUITE("run") {
    TEST_CASE("a bee that does not answer keeps what it said before, and is known to be silent") {
        HardOfHearing bees;
        SeenSwarm seen{.sent = 10};
        for (int i = 0; i < 10; ++i) seen.latency.record(1ms);
        CHECK(bees.look(seen, 1s).silent.empty());
        seen.sent = 20;
        const Sight sight = bees.look(seen, 2s, {post});
        REQUIRE(sight.bees.size() == 2);
        CHECK(sight.silent == std::set<std::string>{post});
        CHECK(processed(sight.bees[0]) == 20);
        CHECK(processed(sight.bees[1]) == 10);
        CHECK(!bees.roster.all_answered());
    }

    TEST_CASE("a stranger is not let in, and whoever never spoke is missing and silent") {
        Roster roster{{generator, post}};
        roster.hear({.role = "x", .instance = "other-x-1"});
        roster.hear({.role = "generator", .instance = generator});
        Sight sight;
        roster.tell(sight);
        CHECK(sight.bees.size() == 1);
        CHECK(sight.silent == std::set<std::string>{post});
    }

    TEST_CASE("counts do not shrink when a bee misses a look") {
        Recorder recorder{{.start = SeenSwarm::start}};
        HardOfHearing bees;
        SeenSwarm seen{.sent = 50};
        for (int i = 0; i < 50; ++i) seen.latency.record(1ms);
        recorder.see(bees.look(seen, 1s));
        recorder.see(bees.look(seen, 2s, {generator, post}));
        recorder.finish(bees.look(seen, 3s, {post}));
        CHECK(recorder.run().summary.load.sent == 50);
        CHECK(recorder.run().summary.requests.total == 50);
        CHECK(recorder.run().summary.latency_us.p50 == doctest::Approx(1000).epsilon(0.002));
        CHECK(recorder.run().summary.bees.size() == 2);
    }

    TEST_CASE("a swarm is at rest only once every bee has said so") {
        Course course{{.length = 1s, .drain = 5s}, SeenSwarm::start};
        HardOfHearing bees;
        const SeenSwarm seen{.sent = 10};
        course.see(bees.look(seen, 1s), {});
        REQUIRE(course.phase() == Phase::draining);
        CHECK(!course.see(bees.look(seen, 1100ms, {post}), {}));
        CHECK(!course.see(bees.look(seen, 1200ms, {post}), {}));
        CHECK(!course.see(bees.look(seen, 1300ms), {})); // once may be chance
        CHECK(course.see(bees.look(seen, 1400ms), {}));
        CHECK(course.drained());
    }

    TEST_CASE("whether everything was sent is not known while a bee is silent") {
        Course course{{}, SeenSwarm::start};
        HardOfHearing bees;
        const SeenSwarm seen{.out_of_data = true};
        CHECK(!course.see(bees.look(seen, 1s, {post}), {}));
        CHECK(course.see(bees.look(seen, 2s), {}));
        CHECK(course.ending() == Ending::out_of_data);
    }
}

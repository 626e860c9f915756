#include "run/course.hpp"
#include "tests/support/seen_swarm.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;
using tests::SeenSwarm;

TEST_SUITE("run") {
    TEST_CASE("the load ends in time, then what is under way is waited for") {
        Course course{{.length = 2s, .drain = 5s}, SeenSwarm::start};
        SeenSwarm seen{.sent = 10, .depth = 3};
        CHECK(course.next_look(SeenSwarm::start + 1900ms) == SeenSwarm::start + 2s);
        CHECK(!course.see(seen.at(1s), {}));
        CHECK(course.see(seen.at(2001ms), {}));
        CHECK(course.phase() == Phase::draining);
        CHECK(course.ending() == Ending::time);
        CHECK(course.load_ended() == SeenSwarm::start + 2s);
        CHECK(!course.see(seen.at(3s), {}));
        seen.depth = 0;
        seen.pending = 1;
        CHECK(!course.see(seen.at(4s), {}));
        seen.pending = 0;
        CHECK(!course.see(seen.at(4100ms), {})); // once may be chance
        CHECK(course.see(seen.at(4200ms), {}));
        CHECK(course.phase() == Phase::over);
        CHECK(course.drained());
    }

    TEST_CASE("what never comes to rest is not waited for longer than was said") {
        Course course{{.length = 1s, .drain = 5s}, SeenSwarm::start};
        const SeenSwarm seen{.depth = 3};
        course.see(seen.at(1s), {});
        CHECK(!course.see(seen.at(5900ms), {}));
        CHECK(course.see(seen.at(6s), {}));
        CHECK(!course.drained());
    }

    TEST_CASE("without a length the load ends when nobody has anything more to send") {
        Course course{{}, SeenSwarm::start};
        SeenSwarm seen;
        CHECK(!course.see(seen.at(1h), {}));
        seen.out_of_data = true;
        CHECK(course.see(seen.at(2h), {}));
        CHECK(course.ending() == Ending::out_of_data);
    }

    TEST_CASE("the last item of a run with a length comes a moment early; long before is an end") {
        const SeenSwarm seen{.out_of_data = true};
        Course timely{{.length = 10s}, SeenSwarm::start};
        CHECK(timely.see(seen.at(9900ms), {}));
        CHECK(timely.ending() == Ending::time);
        CHECK(timely.load_ended() == SeenSwarm::start + 10s);
        Course short_of_data{{.length = 10s}, SeenSwarm::start};
        CHECK(short_of_data.see(seen.at(4s), {}));
        CHECK(short_of_data.ending() == Ending::out_of_data);
        CHECK(short_of_data.load_ended() == SeenSwarm::start + 4s);
    }

    TEST_CASE("a broken threshold ends a run only if it says so, an interrupt always") {
        telemetry::Summary bad;
        bad.requests = {.total = 100, .failed = 50};
        const auto plain = telemetry::parse_threshold("error_rate < 1%").value();
        const auto abort = telemetry::parse_threshold("error_rate < 1% abort").value();
        Course patient{{.length = 1h, .thresholds = {plain}}, SeenSwarm::start};
        CHECK(!patient.see(SeenSwarm{}.at(1s), bad));
        patient.interrupt(SeenSwarm::start + 2s);
        CHECK(patient.ending() == Ending::interrupted);
        CHECK(patient.phase() == Phase::draining);
        patient.interrupt(SeenSwarm::start + 3s);
        CHECK(patient.phase() == Phase::over);
        Course strict{{.length = 1h, .thresholds = {abort}}, SeenSwarm::start};
        CHECK(strict.see(SeenSwarm{}.at(1s), bad));
        CHECK(strict.ending() == Ending::threshold);
        CHECK(strict.broken() == abort.expr);
    }
}

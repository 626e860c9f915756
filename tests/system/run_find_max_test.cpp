#include "tests/support/places.hpp"
#include "tests/system/run_scene.hpp"

#include <algorithm>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

TEST_SUITE("hive run") {
    TEST_CASE("the highest rate is what the system can do, and every step is told") {
        // One at a time, 5 ms each: 200 a second and not one more.
        const RunScene scene{{.usual = {.delay = mock::Delay{.first = 5ms}}, .capacity = 1}};
        const auto summary_file = scene.files.path("s.json");
        const auto page = scene.files.path("r.html");
        const auto done = scene.run(
            {scene.url(), "--find-max", "--from", "40", "--step-duration", "1s", "--drain", "10s",
             "--threshold", "p99 < 300ms", "--summary", summary_file, "--report", page});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
        const auto summary =
            telemetry::summary_from_json(parse_json(RunScene::text_of(summary_file)).value());
        REQUIRE(summary.has_value());
        REQUIRE(summary->find_max.has_value());
        const auto& found = *summary->find_max;
        REQUIRE(found.rate_per_sec.has_value());
        // A second of more than it can do is answered late, but soon enough up to about a third
        // more.
        CHECK(*found.rate_per_sec >= 80);
        CHECK(*found.rate_per_sec <= 320);
        REQUIRE(found.too_much_per_sec.has_value());
        CHECK(*found.too_much_per_sec > *found.rate_per_sec);
        CHECK(found.steps.size() >= 4);
        CHECK(found.steps.front().rate_per_sec == 40);
        const auto failed =
            std::ranges::count(found.steps, false, &telemetry::Summary::RateStep::ok);
        CHECK(failed >= 2); // what does not hold is tried again
        CHECK(summary->load.sent >= static_cast<std::uint64_t>(*found.rate_per_sec * 0.9));
        CHECK_MESSAGE(done.out.find("Highest rate") != std::string::npos, done.out);
        CHECK(RunScene::text_of(page).find("Highest rate") != std::string::npos);
    }

    TEST_CASE("a rate that is never held is a broken threshold, a plan cannot be searched") {
        const RunScene scene{{.usual = {.error_ratio = {1}}}};
        const auto none = scene.run(
            {scene.url(), "--find-max", "--from", "4", "--step-duration", "300ms", "--json"});
        CHECK(none.exit_code == 1);
        CHECK(!RunScene::summary_of(none).find_max.value().rate_per_sec.has_value());
        CHECK(scene.run({scene.url(), "--find-max", "--from", "9", "--to", "2"}).exit_code == 2);
        CHECK(scene.run({scene.url(), "--find-max", "--duration", "9s"}).exit_code == 2);
        CHECK(scene.run({scene.url(), "--find-max", "--rate", "9"}).exit_code == 2);
        const auto planned = scene.run({hive::tests::in_source("scenarios/spike"), "--find-max"});
        CHECK(planned.exit_code == 2);
        CHECK_MESSAGE(planned.err.find("plan") != std::string::npos, planned.err);
    }
}

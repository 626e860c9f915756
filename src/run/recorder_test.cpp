#include "run/recorder.hpp"
#include "tests/support/seen_swarm.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;
using tests::SeenSwarm;

TEST_SUITE("run") {
    TEST_CASE("each second becomes a moment of its own, and all of them the summary") {
        Recorder recorder{
            {.scenario = "x", .swarm = "run", .start = SeenSwarm::start, .planned = 2s}};
        SeenSwarm seen;
        for (int i = 0; i < 100; ++i) seen.latency.record(1ms);
        seen.sent = 100;
        seen.depth = 7;
        recorder.see(seen.at(500ms));
        CHECK(recorder.run().moments.empty());
        recorder.see(seen.at(1s));
        for (int i = 0; i < 50; ++i) seen.latency.record(9ms);
        seen.sent = 150;
        seen.failed = 5;
        seen.depth = 0;
        recorder.load_ended(SeenSwarm::start + 2s);
        recorder.see(seen.at(2s));
        recorder.finish(seen.at(2020ms));

        const report::Run& run = recorder.run();
        REQUIRE(run.moments.size() == 2);
        CHECK(run.moments[0].done_per_sec == 100);
        CHECK(run.moments[0].latency_us.p99 == doctest::Approx(1000).epsilon(0.002));
        CHECK(run.moments[0].depths.at("calls") == 7);
        CHECK(run.moments[1].done_per_sec == 50);
        CHECK(run.moments[1].latency_us.p50 == doctest::Approx(9000).epsilon(0.002));
        CHECK(run.moments[1].errors.at("timeout") == 5);
        const telemetry::Summary& summary = run.summary;
        CHECK(summary.duration_sec == 2);
        CHECK(summary.load.sent == 150);
        CHECK(summary.load.max_schedule_lag_us == 250);
        CHECK(summary.requests.total == 150);
        CHECK(summary.requests.failed == 5);
        CHECK(summary.requests.rate_per_sec == 75);
        CHECK(summary.latency_us.max == 9000);
        CHECK(summary.queues.at("calls").max_depth == 7);
        CHECK(summary.queues.at("calls").end_depth == 0);
        CHECK(run.errors.at("timeout") == 5);
        CHECK(!run.errors.contains("200"));
        std::uint64_t drawn = 0;
        for (const report::Bar& bar : run.distribution) drawn += bar.count;
        CHECK(drawn == 150);
    }

    TEST_CASE("what several post-processors say of a call is added up, percentiles as a bound") {
        const auto part = [](std::uint64_t total, double p99, double mean) {
            return json::object{
                {"total", total},
                {"failed", 1},
                {"latencyUs", json::object{{"p99", p99}, {"mean", mean}}}};
        };
        const auto bee = [&](json::object work) {
            work["histograms"] = json::object{};
            return BeeSight{.role = "postprocessor", .work = std::move(work)};
        };
        const Totals alone = totals_of(
            {.bees = {bee({{"calls", json::object{{"login", part(10, 5, 2)}}}}), bee({})}});
        CHECK(!alone.calls.at("login").upper_bound);
        const Totals both = totals_of(
            {.bees = {
                 bee(
                     {{"calls", json::object{{"login", part(30, 5, 2)}}},
                      {"dimensions", json::object{{"tenant=gold", part(3, 4, 4)}}}}),
                 bee({{"calls", json::object{{"login", part(10, 9, 6)}}}})}});
        const auto& login = both.calls.at("login");
        CHECK(login.total == 40);
        CHECK(login.failed == 2);
        CHECK(login.latency_us.p99 == 9);
        CHECK(login.latency_us.mean == doctest::Approx(3));
        CHECK(login.upper_bound);
        CHECK(both.dimensions.at("tenant=gold").total == 3);
        CHECK(!both.dimensions.at("tenant=gold").upper_bound);
    }
}

#include "telemetry/summary_json.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::telemetry;
using namespace std::chrono_literals;

namespace {

Summary a_run() {
    Summary run{
        .scenario = "hello",
        .swarm_id = "alpha",
        .started_at = Timestamp{1'750'000'000s},
        .duration_sec = 20.5};
    run.load = {100'000, 99'990, 10, 4'999.5, 850.25};
    run.requests = {99'990, 100, 4'999.5, {{"200", 99'890}, {"500", 100}}};
    run.latency_us = {900, 1'500, 2'100, 4'800, 9'000, 21'000, 1'100};
    run.latency_from_due_us = {950, 1'600, 2'300, 60'000, 90'000, 99'000, 1'300.125};
    run.bytes = {1'000, 18'446'744'073'709'551'615U};
    run.queues["in"] = {50, 0};
    run.bees = {{"generator", "alpha-generator-1", 100'000, 0}};
    run.thresholds = {{"p99 < 50ms", 4'800, true}, {"p95{call=x} < 1ms", std::nullopt, false}};
    run.process = {3.25, 31'000'000};
    run.calls["login"] = {.total = 40'000, .failed = 3, .latency_us = {.p95 = 19'000}};
    return run;
}

} // namespace

TEST_CASE("a summary has the members it promises, and comes back as it was") {
    const std::string text = to_text(to_json(a_run()));
    CHECK(text.starts_with(
        R"({"schema":"hive.summary/1","scenario":"hello","swarmId":"alpha",)"
        R"("startedAt":"2025-06-15T15:06:40Z","durationSec":20.5,"load":{"planned":100000,)"
        R"("sent":99990,"dropped":10,"ratePerSec":4999.5,"maxScheduleLagUs":850.25},)"
        R"("requests":{"total":99990,"failed":100,"ratePerSec":4999.5,)"
        R"("byStatus":{"200":99890,"500":100}},"latencyUs":{"p50":900,)"));
    const auto back = summary_from_json(*parse_json(text));
    REQUIRE_MESSAGE(back.has_value(), back.error().detail);
    CHECK(*back == a_run());
    CHECK(*summary_from_json(to_json(Summary{})) == Summary{});
}

TEST_CASE("members of a later version are left alone and calls may be missing") {
    json::object document = to_json(a_run());
    document["later"] = 1;
    document.erase("calls");
    Summary expected = a_run();
    expected.calls.clear();
    CHECK(*summary_from_json(document) == expected);
}

TEST_CASE("a document that is no summary is refused with the member's path") {
    const auto refused = [](const char* pointer, const json::value& value) {
        json::value document = to_json(a_run());
        document.at_pointer(pointer) = value;
        const auto read = summary_from_json(document);
        return read ? std::string{"accepted"} : read.error().detail;
    };
    CHECK(refused("/schema", "hive.summary/2") == "summary: schema must be 'hive.summary/1'");
    CHECK(refused("/load/sent", -1) == "summary: load.sent must be a whole number, 0 or more");
    CHECK(refused("/load", nullptr) == "summary: load must be an object");
    CHECK(refused("/latencyUs/p99", "x") == "summary: latencyUs.p99 must be a number");
    CHECK(refused("/bees/0/role", 1) == "summary: bees[0].role must be a string");
    CHECK(refused("/bees", 1) == "summary: bees must be a list");
    CHECK(refused("/queues/in/endDepth", 0.5).find("summary: queues.in.endDepth") == 0);
    CHECK(refused("/startedAt", "today").find("summary: startedAt ") == 0);
    json::object document = to_json(a_run());
    document.erase("process");
    CHECK(summary_from_json(document).error().detail == "summary: process is missing");
    CHECK(
        summary_from_json(json::value{1}).error().detail ==
        "summary: the document must be an object");
}

TEST_CASE("dimensions and a search are written when there are any, and come back") {
    CHECK_FALSE(to_json(a_run()).contains("dimensions"));
    CHECK_FALSE(to_json(a_run()).contains("findMax"));
    Summary run = a_run();
    run.dimensions["tenant=gold"] = {.total = 7, .latency_us = {.p50 = 3}, .upper_bound = true};
    run.find_max = {
        .rate_per_sec = 400,
        .too_much_per_sec = 420,
        .steps = {
            {.rate_per_sec = 400, .achieved_per_sec = 399.5, .p99_us = 9'000, .ok = true},
            {.rate_per_sec = 420, .error_rate = 0.5, .broken = "error_rate < 1%"}}};
    const std::string text = to_text(to_json(run));
    CHECK(text.find(R"("upperBound":true)") != text.npos);
    CHECK(text.find(R"("findMax":{"ratePerSec":400,"tooMuchPerSec":420,"steps":[)") != text.npos);
    CHECK(*summary_from_json(*parse_json(text)) == run);
    run.find_max->rate_per_sec.reset();
    CHECK(*summary_from_json(to_json(run)) == run);
    json::value document = to_json(run);
    document.at_pointer("/findMax/steps/0/ok") = 1;
    CHECK(
        summary_from_json(document).error().detail ==
        "summary: findMax.steps[0].ok must be true or false");
}

TEST_CASE("a series is written by column and comes back; without one nothing is written") {
    CHECK_FALSE(to_json(a_run()).contains("series"));
    Summary run = a_run();
    run.series = {0.5, {{5'000, 4'990.5, 1, 812.3, 4'100}, {5'000, 5'000, 0, 800, 3'900.1}}};
    const std::string text = to_text(to_json(run));
    CHECK(text.ends_with(
        R"("series":{"windowSec":0.5,"plannedPerSec":[5000,5000],"ratePerSec":[4990.5,5000],)"
        R"("failedPerSec":[1,0],"p50Us":[812.3,800],"p99Us":[4100,3900.1]}})"));
    CHECK(*summary_from_json(*parse_json(text)) == run);
}

TEST_CASE("a series that cannot be is refused with its place") {
    Summary run = a_run();
    run.series = {1, {{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}}};
    const auto refused = [&](const char* pointer, const json::value& value) {
        json::value document = to_json(run);
        document.at_pointer(pointer) = value;
        const auto read = summary_from_json(document);
        return read ? std::string{"accepted"} : read.error().detail;
    };
    CHECK(
        refused("/series/windowSec", 0) ==
        "summary: series.windowSec must be more than 0 and at most a day");
    CHECK(
        refused("/series/p99Us/1", "x") == "summary: series.p99Us[1] must be a number, 0 or more");
    CHECK(refused("/series/p50Us/0", -1) == "summary: series.p50Us[0] must be a number, 0 or more");
    CHECK(
        refused("/series/ratePerSec", json::array{1}) ==
        "summary: series.ratePerSec must be as long as the other columns");
    CHECK(refused("/series/p50Us", 7) == "summary: series.p50Us must be a list");
    CHECK(refused("/series", json::array{}) == "summary: series must be an object");
    CHECK(
        refused("/series/plannedPerSec", json::array(3'601, 1)) ==
        "summary: series.plannedPerSec has more than 3600 values");
}

TEST_CASE("latencies are microseconds to the nanosecond") {
    Histogram histogram;
    histogram.record(1'234'567ns);
    const Latencies latencies = latencies_of(histogram);
    CHECK(latencies.p50 == 1'234.567);
    CHECK(latencies.max == 1'234.567);
    CHECK(latencies.mean == 1'234.567);
}

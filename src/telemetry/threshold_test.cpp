#include "telemetry/threshold.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::telemetry;

namespace {

Summary a_run() {
    Summary run{.duration_sec = 20};
    run.load = {100'000, 99'990, 10, 4'999.5, 850};
    run.requests = {99'990, 100, 4'999.5, {{"200", 99'890}, {"500", 100}}};
    run.latency_us = {900, 1'500, 2'100, 4'800, 9'000, 21'000, 1'100};
    run.latency_from_due_us = {950, 1'600, 2'300, 60'000, 90'000, 99'000, 1'300};
    run.calls["login"] = {.total = 40'000, .failed = 0, .latency_us = {.p95 = 19'000}};
    run.dimensions["tenant=gold"] = {.total = 10'000, .failed = 10, .latency_us = {.p95 = 45'000}};
    return run;
}

} // namespace

TEST_CASE("a threshold is read, measured and judged") {
    const struct {
        const char* text;
        double value;
        bool ok;
    } rows[] = {
        {"p99 < 50ms", 4'800, true},
        {"p99<4.8ms", 4'800, false},
        {"p99 <= 4.8ms", 4'800, true},
        {"p50 < 900us", 900, false},
        {"p50 <= 900us", 900, true},
        {"p50 <= 900\u00b5s", 900, true},
        {"p90 > 1000000ns", 1'500, true},
        {"p999 < 1m", 9'000, true},
        {"p99.9 < 0.01s", 9'000, true},
        {"max < 20ms", 21'000, false},
        {"mean >= 1.1ms", 1'100, true},
        {"from_due.p99 < 50ms", 60'000, false},
        {"  p95{call=login} < 20ms  ", 19'000, true},
        {"p95 { call = login } < 0.019s", 19'000, false},
        {"p95{dimension.tenant=gold} < 50ms", 45'000, true},
        {"error_rate{ dimension.tenant = gold } < 0.1%", 0.001, false},
        {"rate{dimension.tenant=gold} == 500/s", 500, true},
        {"error_rate < 0.2%", 100.0 / 99'990, true},
        {"error_rate < 0.001", 100.0 / 99'990, false},
        {"error_rate{call=login} == 0", 0, true},
        {"success_rate >= 99.9%", 1 - 100.0 / 99'990, false},
        {"rate > 4900/s", 4'999.5, true},
        {"rate > 300000/m", 4'999.5, false},
        {"rate{call=login} == 2000", 2'000, true},
        {"failed == 0", 100, false},
        {"failed != 0", 100, true},
        {"failed{call=login} == 0", 0, true},
        {"total >= 99990", 99'990, true},
        {"planned == 100000", 100'000, true},
        {"sent > 99989", 99'990, true},
        {"dropped < 10", 10, false},
        {"max_lag < 1ms", 850, true},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto threshold = parse_threshold(row.text);
        REQUIRE_MESSAGE(threshold.has_value(), threshold.error().detail);
        const auto judged = judge(*threshold, a_run());
        REQUIRE(judged.value.has_value());
        CHECK(*judged.value == doctest::Approx(row.value));
        CHECK(judged.ok == row.ok);
        CHECK_FALSE(threshold->abort);
    }
}

TEST_CASE("what was not measured keeps no promise") {
    for (const char* text :
         {"p99 < 1s", "error_rate < 1%", "p95{call=nobody} < 1s",
          "p95{dimension.tenant=nobody} < 1s"}) {
        const auto judged = judge(*parse_threshold(text), Summary{});
        CHECK_FALSE(judged.value.has_value());
        CHECK_FALSE(judged.ok);
    }
    CHECK(judge(*parse_threshold("failed == 0"), Summary{}).ok);
}

TEST_CASE("abort is a word at the end, and the expression is kept as it was written") {
    const auto threshold = parse_threshold("\terror_rate < 5% abort ");
    REQUIRE(threshold.has_value());
    CHECK(threshold->abort);
    CHECK(threshold->expr == "error_rate < 5% abort");
}

TEST_CASE("a mistake is told with its column and what to write instead") {
    const struct {
        const char* text;
        const char* why;
    } rows[] = {
        {"", "column 1: expected a metric: one of p50"},
        {"p98 < 1ms", "column 1: unknown metric; did you mean"},
        {"eror_rate < 1%", "did you mean 'error_rate'?"},
        {"latency < 1ms", "column 1: expected a metric"},
        {"p99 = 1ms", "column 5: write =="},
        {"p99 50ms", "column 5: expected a comparison"},
        {"p99 < fast", "column 7: expected a number"},
        {"p99 < -1ms", "column 7: expected a number"},
        {"p99 < 50", "column 9: a latency needs its unit"},
        {"p99 < 50 ms", "column 9: a latency needs its unit"},
        {"p99 < 50min", "column 9: a latency needs its unit"},
        {"error_rate < 1ms", "column 15: expected %"},
        {"error_rate < 101%", "at most 1"},
        {"rate > 5/h", "column 9: expected /s or /m"},
        {"failed == 0%", "column 12: failed is a count"},
        {"from_due.failed == 0", "column 1: from_due. goes with latencies"},
        {"planned{call=x} > 1", "column 8: planned is not known for single calls"},
        {"p95{status=200} < 1ms", "column 5: expected 'call' or a dimension"},
        {"p95{dimension.=gold} < 1ms", "column 5: expected 'call' or a dimension"},
        {"p95{dimension.tenant=} < 1ms", "column 22: expected a value of the dimension"},
        {"p95{call login} < 1ms", "column 10: expected '='"},
        {"p95{call=} < 1ms", "column 10: expected the id"},
        {"p95{call=login < 1ms", "column 4: this '{' is never closed"},
        {"p99 < 1ms now", "column 11: expected the end, or 'abort'"},
        {"p99 < 1ms abort abort", "column 11: expected the end"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto threshold = parse_threshold(row.text);
        REQUIRE_FALSE(threshold.has_value());
        CHECK_MESSAGE(
            threshold.error().detail.find(row.why) != std::string::npos, threshold.error().detail);
    }
    CHECK_FALSE(parse_threshold(std::string(1'000, 'p')).has_value());
}

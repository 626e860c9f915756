#include "report/columns.hpp"
#include "report/final_text.hpp"
#include "report/series.hpp"
#include "tests/support/sample_run.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace hive;
using namespace hive::report;
using hive::tests::SampleRun;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

// The line that begins with that word.
std::string line_of(const std::string& text, std::string_view word) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        const auto begin = line.find_first_not_of(' ');
        if (begin != line.npos && line.substr(begin).starts_with(word)) return line;
    }
    return {};
}

} // namespace

TEST_CASE("the end of a run says the verdict first and then everything that was counted") {
    Run run = SampleRun{}.make();
    run.summary.requests = {1'234'567, 1'235, 6'858.7, {{"200", 1'233'332}, {"503", 1'235}}};
    run.summary.latency_us = {900, 1'500, 2'100, 4'800, 9'000, 21'000, 1'100};
    run.summary.latency_from_due_us = {950, 1'600, 2'300, 60'000, 90'000, 99'000, 1'300};
    const std::string text = final_text(run, {.files = {{"summary", "out/a.json"}}});
    CAPTURE(text);
    CHECK(text.starts_with("✗ failed  checkout: ramp over the knee\n"));
    CHECK(contains(text, "  3 of 5 thresholds were broken\n"));
    CHECK(contains(line_of(text, "done"), "1,234,567  6,859/s"));
    CHECK(contains(line_of(text, "failed"), "1,235  0.1 %"));
    CHECK(contains(line_of(text, "p50"), "900 µs        950 µs"));
    CHECK(contains(line_of(text, "p99 "), "4.80 ms       60.0 ms  12.5× as long"));
    CHECK(contains(line_of(text, "200"), "1,233,332"));
    CHECK(contains(line_of(text, "503"), "0.1 %"));
    CHECK(contains(text, "✓ p99 < 100ms"));
    CHECK(contains(line_of(text, "✗ p95{call=search} < 20ms"), "not measured"));
    CHECK(contains(line_of(text, "✗ error_rate < 0.1%"), "0.61 %"));
    CHECK(contains(text, "slowest at "));
    CHECK(contains(text, "most failures at "));
    CHECK(contains(line_of(text, "summary"), "out/a.json"));
    CHECK(contains(line_of(text, "checkout"), "ms"));
    CHECK(text.find('\x1b') == text.npos);
    CHECK(contains(final_text(run, {.colors = true}), "\x1b[1;31m✗ failed\x1b[0m"));
}

TEST_CASE("the end of a search says what was found, and every step of it") {
    Run run = SampleRun{}.make();
    run.summary.dimensions["tenant=gold"] = {.total = 5, .upper_bound = true};
    run.summary.find_max = {
        .rate_per_sec = 400,
        .steps = {
            {.rate_per_sec = 400, .achieved_per_sec = 399, .ok = true},
            {.rate_per_sec = 800, .achieved_per_sec = 512, .broken = "p99 < 1ms"}}};
    std::string text = final_text(run, {});
    CHECK(contains(text, "400/s holds, and nothing higher was tried."));
    CHECK(contains(line_of(text, "800/s"), "512/s"));
    CHECK(contains(line_of(text, "800/s"), "✗ p99 < 1ms"));
    CHECK(contains(line_of(text, "tenant=gold"), "5"));
    CHECK(contains(text, "percentiles are upper bounds"));
    run.summary.find_max->rate_per_sec.reset();
    run.summary.find_max->too_much_per_sec = 1;
    CHECK(contains(final_text(run, {}), "No rate holds: even 1/s is too much."));
}

TEST_CASE("no line of the end is wider than it may be") {
    Run run = SampleRun{}.make();
    run.reason = std::string(300, 'y');
    for (std::size_t width = 40; width <= 200; ++width) {
        std::istringstream lines{final_text(run, {.width = width})};
        for (std::string line; std::getline(lines, line);)
            REQUIRE_MESSAGE(columns_of(line) <= width, line);
    }
}

TEST_CASE("a run without a single request can be told") {
    const std::string text =
        final_text(Run{.verdict = Verdict::broken, .reason = "no bee came"}, {});
    CHECK(text.starts_with("✗ broken off  a run\n  no bee came\n"));
    CHECK_FALSE(contains(text, "Latency"));
    CHECK_FALSE(contains(text, "nan"));
}

TEST_CASE("a summary alone is a run with what it tells") {
    const Run whole = SampleRun{}.make();
    telemetry::Summary summary = whole.summary;
    summary.series = series_of(whole.moments);
    const Run run = run_of(summary);
    CHECK(run.moments.size() == whole.moments.size());
    CHECK(run.verdict == Verdict::failed);
    CHECK(run.reason == "3 of 5 thresholds were not met");
    CHECK(contains(final_text(run, {}), "slowest at "));
    summary.thresholds.clear();
    CHECK(run_of(summary).verdict == Verdict::passed);
}

TEST_CASE("a series keeps every second until there are too many") {
    const Run run = SampleRun{}.make();
    const telemetry::Series series = series_of(run.moments);
    REQUIRE(series.points.size() == 180);
    CHECK(series.window_sec == 1);
    CHECK(series.points[3].p99_us == doctest::Approx(run.moments[3].latency_us.p99).epsilon(0.001));
    const auto back = moments_of(series);
    CHECK(back[7].at_sec == 8);
    CHECK(back[7].done_per_sec == doctest::Approx(run.moments[7].done_per_sec).epsilon(0.001));

    std::vector<Moment> many(10'000);
    double done = 0;
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].done_per_sec = static_cast<double>(i % 7);
        many[i].latency_us.p50 = 10;
        done += many[i].done_per_sec;
    }
    const telemetry::Series joined = series_of(many);
    CHECK(joined.window_sec == 3);
    CHECK(joined.points.size() == 3'334);
    CHECK(joined.points[5].p50_us == 10);
    double kept = 0;
    for (const auto& point : joined.points) kept += point.done_per_sec * 3;
    CHECK(kept == doctest::Approx(done).epsilon(0.01));
    CHECK(series_of({}).points.empty());
}

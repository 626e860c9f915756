#include "report/compare.hpp"
#include "report/series.hpp"
#include "tests/support/sample_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::report;
using hive::tests::SampleRun;
using telemetry::Summary;

namespace {

Summary a_summary(const SampleRun& sample, bool with_series = true) {
    const Run run = sample.make();
    Summary summary = run.summary;
    if (with_series) summary.series = series_of(run.moments);
    return summary;
}

const Compared& metric(const Comparison& comparison, std::string_view name) {
    return *std::ranges::find(comparison.metrics, name, &Compared::metric);
}

Comparison one_each(const Summary& a, const Summary& b, double tolerance = 0.05) {
    return compare({&a, 1}, {&b, 1}, {.tolerance = tolerance});
}

// Seconds around a level, each a bit like the one before it.
Windows noisy(double level, double noise, std::uint64_t seed) {
    Random random{seed};
    Windows out;
    double drift = 0;
    for (int i = 0; i < 120; ++i) {
        drift = 0.6 * drift + noise * (random.unit() - 0.5);
        out.add(level + drift, 1);
    }
    return out;
}

} // namespace

TEST_CASE("runs of the same thing with other noise are the same") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto found =
            one_each(a_summary({.seed = 100 + seed}), a_summary({.seed = 200 + seed}));
        CAPTURE(to_text(found, false));
        CHECK(metric(found, "p50").change == Change::same);
        CHECK(metric(found, "p50").method == Method::windows);
        CHECK(metric(found, "p99").change == Change::same);
        CHECK(metric(found, "error_rate").change == Change::same);
        CHECK(metric(found, "rate").change == Change::same);
        CHECK(found.verdict != Change::worse);
        CHECK(found.verdict != Change::better);
    }
}

TEST_CASE("a tenth slower is worse, and the other way round better") {
    const Summary base = a_summary({.seed = 1});
    const Summary slow = a_summary({.seed = 2, .slower = 1.1});
    const auto worse = one_each(base, slow);
    CAPTURE(to_text(worse, false));
    CHECK(metric(worse, "p50").change == Change::worse);
    CHECK(metric(worse, "rate").change == Change::same);
    CHECK(worse.verdict == Change::worse);
    CHECK(metric(one_each(slow, base), "p50").change == Change::better);
    // What does not matter to the one who asks is no change.
    CHECK(metric(one_each(base, slow, 0.2), "p50").change == Change::same);
}

TEST_CASE("a knee that comes earlier shows in rate and errors") {
    const auto found = one_each(a_summary({.seed = 1}), a_summary({.seed = 2, .knee = 3'000}));
    CHECK(metric(found, "rate").change == Change::worse);
    CHECK(metric(found, "error_rate").change == Change::worse);
    CHECK(found.verdict == Change::worse);
}

TEST_CASE("noise that hides a change leaves it unclear") {
    Summary base = a_summary({.seed = 1});
    Summary wild = base;
    Random random{9};
    for (auto& point : wild.series.points)
        point.p99_us *= 0.2 + 2 * random.unit() * random.unit() * 2;
    base.series.points.resize(20);
    wild.series.points.resize(20);
    CHECK(metric(one_each(base, wild), "p99").change == Change::unclear);
}

TEST_CASE("without a series the size decides and the answer says so") {
    const Summary base = a_summary({}, false);
    Summary other = base;
    const auto change_of = [&](double factor) {
        other.latency_us.p99 = base.latency_us.p99 * factor;
        return metric(one_each(base, other), "p99").change;
    };
    CHECK(change_of(1.04) == Change::same);
    CHECK(change_of(1.08) == Change::unclear);
    CHECK(change_of(1.12) == Change::worse);
    CHECK(change_of(0.85) == Change::better);
    const auto found = one_each(base, other);
    CHECK(metric(found, "p99").method == Method::tolerance);
    CHECK(to_text(found, false).find("by size") != std::string::npos);
}

TEST_CASE("several runs a side are judged by what differs between them") {
    const auto side = [](std::initializer_list<double> p99s) {
        std::vector<Summary> out;
        for (const double p99 : p99s) {
            out.push_back(a_summary({}));
            out.back().latency_us.p99 = p99;
        }
        return out;
    };
    const auto base = side({10'000, 10'400, 9'700});
    const auto change = [&](std::initializer_list<double> p99s) {
        const auto fresh = side(p99s);
        const auto found = compare(base, fresh);
        CHECK(metric(found, "p99").method == Method::runs);
        return metric(found, "p99").change;
    };
    CHECK(change({13'000, 12'800, 13'300}) == Change::worse);
    CHECK(change({8'000, 8'100, 7'900}) == Change::better);
    CHECK(change({10'000, 10'100, 10'050}) == Change::unclear); // base alone differs by 7 %
    CHECK(change({6'000, 18'000, 12'000}) == Change::unclear);
    CHECK(compare(base, base).verdict != Change::worse);
}

TEST_CASE("what makes a comparison doubtful is said") {
    const Summary base = a_summary({});
    Summary other = base;
    other.scenario = "another";
    other.load.planned *= 2;
    const auto notes = to_text(one_each(base, other), false);
    CHECK(
        notes.find("the scenarios differ: 'checkout: ramp over the knee' and 'another'") !=
        notes.npos);
    CHECK(notes.find("the loads differ") != notes.npos);
    CHECK(notes.find("one run on a side") != notes.npos);
    CHECK(one_each(Summary{}, Summary{}).verdict == Change::unclear);
}

TEST_CASE("the same input and seed give the same answer, as JSON too") {
    const Summary a = a_summary({.seed = 1});
    const Summary b = a_summary({.seed = 2, .slower = 1.03});
    const auto first = hive::to_text(to_json(one_each(a, b)));
    CHECK(first == hive::to_text(to_json(one_each(a, b))));
    const auto document = parse_json(first);
    REQUIRE(document);
    CHECK(document->at("schema") == "hive.comparison/1");
    CHECK(document->at("metrics").as_array().size() == 8);
    CHECK(document->at_pointer("/metrics/0/metric") == "rate");
    CHECK(document->at_pointer("/metrics/0/difference/low").is_number());
}

TEST_CASE("blocks cover the truth about as often as they promise") {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Random random{seed};
        const auto found = difference_by_blocks(
            noisy(1'000, 60, seed), noisy(1'030, 60, seed + 1'000), false, random);
        REQUIRE(found);
        if (found->low <= 30 && found->high >= 30) ++covered;
    }
    CHECK(covered >= 80); // blocks are a little too sure of themselves
    Random random{1};
    CHECK_FALSE(difference_by_blocks({}, {}, false, random));
    const std::vector<double> one{1};
    CHECK_FALSE(difference_of_means(one, one));
    const std::vector<double> two{1, 1};
    CHECK(*difference_of_means(two, two) == Interval{0, 0});
}

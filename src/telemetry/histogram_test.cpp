#include "kernel/random.hpp"
#include "telemetry/histogram.hpp"
#include "telemetry/histogram_text.hpp"
#include "telemetry/keyed.hpp"
#include "telemetry/prometheus.hpp"
#include "telemetry/windowed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace hive;
using namespace hive::telemetry;
using namespace std::chrono_literals;

namespace {

// Values over many orders of magnitude, as latencies are.
std::vector<std::uint64_t> latencies(Random& random, std::size_t count) {
    std::vector<std::uint64_t> values(count);
    for (auto& value : values)
        value = static_cast<std::uint64_t>(std::pow(10.0, 1 + 9 * random.unit()));
    return values;
}

Histogram of(const std::vector<std::uint64_t>& values) {
    Histogram histogram;
    for (const auto value : values) histogram.record_ns(value);
    return histogram;
}

} // namespace

TEST_CASE("every value is in a bucket that holds it and is at most 0.2 percent wide") {
    Random random{1};
    std::vector<std::uint64_t> values{0, 1, 511, 512, 513, 1'023, 1'024, 1'025};
    for (unsigned bit = 0; bit < 64; ++bit) {
        values.push_back(std::uint64_t{1} << bit);
        values.push_back((std::uint64_t{1} << bit) - 1);
        values.push_back(random() >> bit);
    }
    values.push_back(std::numeric_limits<std::uint64_t>::max());
    for (const auto value : values) {
        CAPTURE(value);
        const std::size_t index = Histogram::index_of(value);
        REQUIRE(index < Histogram::buckets);
        CHECK(Histogram::lowest_of(index) <= value);
        CHECK(Histogram::highest_of(index) >= value);
        const auto low = static_cast<double>(Histogram::lowest_of(index));
        const double width = static_cast<double>(Histogram::highest_of(index)) - low;
        CHECK(width <= low / 512);
    }
    for (std::size_t index = 1; index < Histogram::buckets; ++index)
        REQUIRE(Histogram::highest_of(index - 1) + 1 == Histogram::lowest_of(index));
}

TEST_CASE(
    "percentiles are within 0.1 percent of the sorted values; mean, least and most are exact") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        auto values = latencies(random, 1 + random.below(20'000));
        const Histogram histogram = of(values);
        std::ranges::sort(values);
        double sum = 0;
        for (const auto value : values) sum += static_cast<double>(value);
        CHECK(histogram.mean_ns() == doctest::Approx(sum / static_cast<double>(values.size())));
        CHECK(histogram.min_ns() == values.front());
        CHECK(histogram.max_ns() == values.back());
        for (const double percent : {0.0, 1.0, 10.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0}) {
            CAPTURE(percent);
            const double exact =
                std::ceil(static_cast<double>(values.size()) * percent / 100 - 1e-9);
            const auto rank = static_cast<std::size_t>(std::max(1.0, exact));
            const auto truth = static_cast<double>(values[rank - 1]);
            CHECK(std::abs(histogram.percentile_ns(percent) - truth) <= truth * 0.001);
        }
    }
}

TEST_CASE("the spread is that of the values") {
    Histogram histogram;
    for (int i = 0; i < 1'000; ++i) {
        histogram.record(9ms);
        histogram.record(11ms);
    }
    CHECK(histogram.stddev_ns() == doctest::Approx(1e6).epsilon(0.01));
    CHECK(Histogram{}.stddev_ns() == 0);
    CHECK(Histogram{}.percentile_ns(99) == 0);
}

TEST_CASE("merging is the same as recording everything in one place") {
    Random random{3};
    const auto a = latencies(random, 5'000);
    const auto b = latencies(random, 3'000);
    auto both = a;
    both.insert(both.end(), b.begin(), b.end());
    Histogram merged = of(a);
    merged.merge(of(b));
    CHECK(merged == of(both));
    merged.merge(Histogram{});
    CHECK(merged == of(both));
    const Histogram copy = merged;
    merged.clear();
    CHECK(merged == Histogram{});
    CHECK(copy == of(both));
}

TEST_CASE(
    "a usual run needs little memory; sums do not overflow; what is negative counts as zero") {
    Histogram histogram;
    for (Duration d = 100us; d < 100ms; d += 10us) histogram.record(d);
    CHECK(histogram.memory_bytes() < 64 * 1024);
    Histogram huge;
    huge.record_many(std::numeric_limits<std::uint64_t>::max(), 1'000'000'000);
    CHECK(huge.mean_ns() == doctest::Approx(1.8446744073709552e19));
    Histogram negative;
    negative.record(-5ms);
    CHECK(negative.max_ns() == 0);
    CHECK(negative.count() == 1);
}

TEST_CASE("a histogram comes back from its text as it was") {
    Random random{9};
    for (const std::size_t count : {0U, 1U, 2U, 1'000U}) {
        const Histogram histogram = of(latencies(random, count));
        const auto back = parse_histogram(to_text(histogram));
        REQUIRE(back.has_value());
        CHECK(*back == histogram);
    }
    CHECK(to_text(Histogram{}) == "h1;0;0;0;");
    Histogram small;
    small.record_ns(3);
    small.record_ns(3);
    small.record_ns(1'000);
    CHECK(to_text(small) == "h1;3;1000;1006;3*2,997*1,");
}

TEST_CASE("text that no histogram has written is refused, with the place") {
    const struct {
        const char* text;
        const char* why;
    } rows[] = {
        {"", "at byte 0: it must begin"},
        {"h2;0;0;0;", "at byte 0: it must begin"},
        {"h1;x;0;0;", "at byte 3: minimum"},
        {"h1;0;0;0", "whole numbers"},
        {"h1;00;0;0;", "whole numbers"},
        {"h1;1;1;99999999999999999999999999999999999999999;", "whole numbers"},
        {"h1;1;0;0;", "no buckets"},
        {"h1;3;3;3;3", "<gap>*<count>"},
        {"h1;3;3;3;3*1", "above 0"},
        {"h1;3;3;3;3*0,", "above 0"},
        {"h1;3;3;3;3*1,0*1,", "twice"},
        {"h1;3;3;3;28672*1,", "no such bucket"},
        {"h1;3;3;3;3*18446744073709551615,1*1,", "too large together"},
        {"h1;4;3;3;3*1,", "not in the first and the last"},
        {"h1;3;5;3;3*1,", "not in the first and the last"},
        {"h1;3;3;4;3*1,", "have this sum"},
        {"h1;-3;3;4;3*1,", "whole numbers"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto parsed = parse_histogram(row.text);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().detail.find(row.why) != std::string::npos);
    }
}

TEST_CASE("a window forgets slice by slice") {
    Windowed window{10s, 10};
    const TimePoint start{100s};
    for (int second = 0; second < 20; ++second) {
        for (int i = 0; i < 100; ++i)
            window.record(
                start + std::chrono::seconds{second} + std::chrono::milliseconds{10 * i},
                std::chrono::milliseconds{second + 1});
    }
    const TimePoint end = start + 20s - 1ms;
    CHECK(window.recent(end).count() == 1'000);
    CHECK(window.recent(end).min_ns() == 11'000'000);
    CHECK(window.per_second(end) == doctest::Approx(100).epsilon(0.01));
    CHECK(window.recent(end + 5s).count() == 500);
    CHECK(window.recent(end + 1h).count() == 0);
    CHECK(window.per_second(end + 1h) == 0);
    window.record(start, 1ms); // far too late
    CHECK(window.recent(end).count() == 1'000);
}

TEST_CASE("a young window knows its rate already") {
    Windowed window{10s, 10};
    for (int i = 0; i < 200; ++i) window.record(TimePoint{50s + i * 10ms}, 1ms);
    CHECK(window.per_second(TimePoint{52s}) == doctest::Approx(100).epsilon(0.01));
}

TEST_CASE("keys are bounded and the rest is counted under other") {
    Counters counters{2};
    for (const char* key : {"200", "404", "200", "500", "503", "404"}) ++counters.at(key);
    CHECK(*counters.find("200") == 2);
    CHECK(*counters.find("404") == 2);
    CHECK(counters.find("500") == nullptr);
    CHECK(counters.other() == 2);
    CHECK(counters.overflowed() == 2);
    counters.clear();
    CHECK(counters.values().empty());
    Successes successes;
    CHECK(successes.ratio() == 1);
    for (const bool ok : {true, true, false, true}) successes.count(ok);
    CHECK(successes.ratio() == 0.75);
}

TEST_CASE("what came since an earlier state is told apart, within the width of a bucket") {
    Histogram all;
    for (int i = 1; i <= 1000; ++i) all.record(1ms * i);
    const Histogram before = all;
    CHECK(all.since(before).count() == 0);
    for (int i = 1; i <= 10; ++i) all.record(5us * i);
    const Histogram window = all.since(before);
    CHECK(window.count() == 10);
    CHECK(window.min_ns() == 5000);
    CHECK(window.max_ns() == doctest::Approx(50'000).epsilon(0.002));
    CHECK(window.mean_ns() == doctest::Approx(27'500));
    CHECK(window.percentile_ns(50) == doctest::Approx(25'000).epsilon(0.002));
    Histogram anew;
    anew.record(7ms);
    CHECK(anew.since(before) == anew);
}

TEST_CASE("Prometheus reads buckets that grow, the sum in seconds and the count") {
    Histogram histogram;
    histogram.record(3ms);
    histogram.record(40ms);
    histogram.record(2min);
    std::string text;
    append_prometheus(text, "hive_latency_seconds", "call=\"login\"", histogram);
    CHECK(text.find("hive_latency_seconds_bucket{call=\"login\",le=\"0.0025\"} 0\n") != text.npos);
    CHECK(text.find("hive_latency_seconds_bucket{call=\"login\",le=\"0.005\"} 1\n") != text.npos);
    CHECK(text.find("hive_latency_seconds_bucket{call=\"login\",le=\"60\"} 2\n") != text.npos);
    CHECK(text.find("hive_latency_seconds_bucket{call=\"login\",le=\"+Inf\"} 3\n") != text.npos);
    CHECK(text.find("hive_latency_seconds_sum{call=\"login\"} 120.043\n") != text.npos);
    CHECK(text.find("hive_latency_seconds_count{call=\"login\"} 3\n") != text.npos);
    text.clear();
    append_prometheus(text, "x", "", histogram);
    CHECK(text.find("x_bucket{le=\"1\"} 2\n") != text.npos);
    CHECK(text.find("x_count 3\n") != text.npos);
}

#include "report/axis.hpp"
#include "report/chart.hpp"
#include "report/distribution.hpp"
#include "report/html.hpp"
#include "report/markup.hpp"
#include "report/thin.hpp"
#include "tests/support/sample_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

using namespace hive;
using namespace hive::report;
using hive::tests::SampleRun;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

std::size_t times_in(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("a report holds the verdict, the numbers, the charts and the tables") {
    const std::string page = html(SampleRun{}.make());
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(contains(page, "<span class=\"badge bad\">failed</span>"));
    CHECK(contains(page, "<b>609,316</b><span>requests</span>"));
    for (const char* title :
         {"Requests per second", "Latency", "Failures per second", "Depth of mod", "Queue depths",
          "How long requests took", "Latency by percentile"})
        CHECK_MESSAGE(contains(page, fmt::format("<strong>{}</strong>", title)), title);
    CHECK(times_in(page, "<svg ") == 7);
    CHECK(times_in(page, "</svg>") == 7);
    CHECK(contains(page, "<rect class=\"band\""));
    CHECK(contains(page, "spike to 6,500/s"));
    CHECK(contains(page, "✗ not met"));
    CHECK(contains(page, "alpha-postprocessor-1"));
    CHECK(contains(page, "peak memory"));
    CHECK_FALSE(contains(page, "nan"));
}

TEST_CASE("where nothing was due at any time, nothing is said about it") {
    Run run = SampleRun{}.make();
    CHECK(contains(html(run), "from due time"));
    run.summary.latency_from_due_us = {};
    CHECK_FALSE(contains(html(run), "from due time"));
}

TEST_CASE("dimensions, bounds and a search for the highest rate are shown where there are any") {
    Run run = SampleRun{}.make();
    CHECK_FALSE(contains(html(run), "Highest rate"));
    CHECK_FALSE(contains(html(run), "upper bound"));
    run.summary.dimensions["tenant=<gold>"] = {.total = 5, .upper_bound = true};
    run.summary.find_max = {
        .rate_per_sec = 400,
        .too_much_per_sec = 420,
        .steps = {{.rate_per_sec = 420, .broken = "p99 < 1ms"}}};
    const std::string page = html(run);
    CHECK(contains(page, "By dimension"));
    CHECK(contains(page, "tenant=&lt;gold&gt;"));
    CHECK(contains(page, "upper bound"));
    CHECK(contains(page, "400/s holds, 420/s does not."));
    CHECK(contains(page, "✗ <code>p99 &lt; 1ms</code>"));
}

TEST_CASE("nothing outside the file is asked for and no other script may run") {
    const std::string page = html(SampleRun{}.make());
    for (const char* outside : {"src=", "@import", "url(", "<link", "fetch(", "href="})
        CHECK_MESSAGE(!contains(page, outside), outside);
    CHECK(contains(page, "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"));
    CHECK(times_in(page, "<script") == 1);
}

TEST_CASE("text from outside stays text") {
    Run run = SampleRun{}.make();
    const std::string evil = "</script><script>alert(1)</script>\"'><img onerror=x>";
    run.summary.scenario = evil;
    run.reason = evil;
    run.markers.push_back({5, evil});
    run.environment.emplace_back(evil, evil);
    run.errors[evil] = 1;
    run.moments.back().errors[evil] = 1;
    run.moments.back().depths[evil] = 1;
    run.brackets[evil] = {1, 2, 3};
    run.summary.bees.push_back({evil, evil, 1, 1});
    run.summary.calls[evil] = {};
    run.summary.thresholds.push_back({evil, 1, false});
    run.graph.push_back({evil, evil, evil});
    const std::string page = html(run);
    CHECK(times_in(page, "<script") == 1);
    CHECK_FALSE(contains(page, "<img"));
    CHECK(contains(page, "&lt;img onerror=x&gt;"));
    CHECK(escaped("a<b>\"c\"&'d'\x01") == "a&lt;b&gt;&quot;c&quot;&amp;&#39;d&#39;\\x01");
}

TEST_CASE("a long run with much in it stays a small file, and its peak is in it") {
    Run run = SampleRun{.seconds = 30'000}.make();
    run.moments[12'345].latency_us.p99 = 77'777'777;
    for (Moment& moment : run.moments) {
        for (int i = 0; i < 12; ++i)
            moment.depths[fmt::format("queue-{}", i)] =
                static_cast<std::uint64_t>(moment.at_sec) % 97;
    }
    for (int i = 0; i < 5'000; ++i)
        run.summary.bees.push_back({"processor", fmt::format("bee-{}", i), 1, 0});
    const std::string page = html(run);
    CHECK(page.size() < 500'000);
    CHECK(contains(page, "7.778e+07"));
    CHECK(contains(page, "shallower queues are not drawn"));
    CHECK(contains(page, "more, which the summary holds"));
}

TEST_CASE("a run with nothing in it makes a page") {
    const std::string page = html(Run{});
    CHECK(contains(page, "A run"));
    CHECK_FALSE(contains(page, "<svg"));
    Run odd = SampleRun{.seconds = 3}.make();
    odd.moments[1].latency_us.p99 = std::numeric_limits<double>::infinity();
    odd.moments[1].done_per_sec = 0;
    odd.distribution = {{5, 3}};
    CHECK_FALSE(contains(html(odd), "nan"));
}

TEST_CASE("thinning keeps the ends and every peak") {
    std::vector<double> line(10'000, 1);
    line[4'321] = 50;
    line[4'322] = -50;
    const std::vector<std::vector<double>> lines{line, std::vector<double>(10'000, 2)};
    const auto kept = thinned(lines, 400);
    CHECK(kept.size() <= 402);
    CHECK(kept.front() == 0);
    CHECK(kept.back() == 9'999);
    CHECK(std::ranges::is_sorted(kept));
    CHECK(std::ranges::count(kept, 4'321U) == 1);
    CHECK(std::ranges::count(kept, 4'322U) == 1);
    CHECK(thinned({lines.data(), 1}, 20'000).size() == 10'000);
    CHECK(thinned({}, 10).empty());
}

TEST_CASE("axes end on round numbers and hold what they must") {
    const Axis rate = Axis::linear(6'500);
    CHECK(rate.top() == 8'000);
    CHECK(rate.share(4'000) == 0.5);
    CHECK(Axis::linear(0).top() > 0);
    CHECK(std::isfinite(Axis::linear(std::numeric_limits<double>::infinity()).top()));
    const Axis latency = Axis::log(700, 72'000);
    CHECK(latency.bottom() <= 700);
    CHECK(latency.top() >= 72'000);
    CHECK(latency.share(latency.bottom()) == 0);
    CHECK(latency.share(1'000'000'000) == 1);
    CHECK(latency.ticks().size() >= 3);
    CHECK(tick_text(Unit::micros, 50'000) == "50 ms");
    for (const double end : {0.05, 1.0, 9.5, 60.0, 180.0, 3'600.0, 1e6})
        CHECK(time_ticks(end).size() <= 11);
}

TEST_CASE("bars of a histogram hold every value once") {
    telemetry::Histogram histogram;
    for (std::uint64_t i = 1; i <= 10'000; ++i) histogram.record_ns(i * 1'000);
    const auto bars = bars_of(histogram);
    std::uint64_t total = 0;
    double before = 0;
    for (const Bar& bar : bars) {
        total += bar.count;
        CHECK(bar.up_to_us > before);
        before = bar.up_to_us;
    }
    CHECK(total == 10'000);
    CHECK(bars.back().up_to_us >= 10'000);
    CHECK(bars.size() < 100);
    CHECK(bars_of(telemetry::Histogram{}).empty());
}

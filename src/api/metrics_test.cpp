#include "api/metrics.hpp"

#include <doctest/doctest.h>

using namespace hive::api;

TEST_CASE("families are rendered once, with their samples below them") {
    MetricRegistry registry;
    Counter& good = registry.counter({"hive_x_total", "Things", {{"kind", "good"}}});
    registry.gauge({"hive_depth", "How deep"}).set(2.5);
    registry.counter({"hive_x_total", "Things", {{"kind", "a\"b\\c\nd"}}});
    registry.observed_gauge({"hive_seen", "Read when asked"}, [] { return 7.0; });
    good.add(3);
    CHECK(
        registry.render() == "# HELP hive_x_total Things\n"
                             "# TYPE hive_x_total counter\n"
                             "hive_x_total{kind=\"good\"} 3\n"
                             "hive_x_total{kind=\"a\\\"b\\\\c\\nd\"} 0\n"
                             "# HELP hive_depth How deep\n"
                             "# TYPE hive_depth gauge\n"
                             "hive_depth 2.5\n"
                             "# HELP hive_seen Read when asked\n"
                             "# TYPE hive_seen gauge\n"
                             "hive_seen 7\n");
}

TEST_CASE("a histogram counts upwards, bounds included, and ends in everything") {
    MetricRegistry registry;
    Histogram& took = registry.histogram({"hive_took_seconds", "Time", {{"op", "x"}}});
    took.observe(0.0005);
    took.observe(0.02);
    took.observe(60);
    const std::string text = registry.render();
    const auto has = [&](const std::string& line) { return text.find(line + "\n") != text.npos; };
    CHECK(has("hive_took_seconds_bucket{op=\"x\",le=\"0.0005\"} 1"));
    CHECK(has("hive_took_seconds_bucket{op=\"x\",le=\"0.01\"} 1"));
    CHECK(has("hive_took_seconds_bucket{op=\"x\",le=\"0.025\"} 2"));
    CHECK(has("hive_took_seconds_bucket{op=\"x\",le=\"10\"} 2"));
    CHECK(has("hive_took_seconds_bucket{op=\"x\",le=\"+Inf\"} 3"));
    CHECK(has("hive_took_seconds_count{op=\"x\"} 3"));
    CHECK(took.count() == 3);
}

// How well the buffer guard holds a queue, by its two strategies side by side: queue, consumers and
// guard on virtual time, and one course of them as a plot. The same numbers on every machine.
// `guard_swarm` does the same with a real swarm.
//   build/bench/guard [plot.svg]
#include "bench/plot.hpp"
#include "tests/simulation/guard/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

using namespace hive;
using namespace hive::simulation;

namespace {

struct Case {
    std::string name;
    Course course;
    double from = 0;    // seconds: settled
    double change = -1; // seconds: when the consumption changes
};

Course base(double consumption, double target, double period) {
    Course course;
    auto& settings = course.settings;
    settings.enabled = true;
    settings.queue = "genToMod";
    settings.target_depth = static_cast<std::uint32_t>(target);
    settings.min_depth = static_cast<std::uint32_t>(target * 0.6);
    settings.max_depth = static_cast<std::uint32_t>(target * 1.4);
    settings.sample_period = Duration{static_cast<Duration::rep>(period * 1e9)};
    settings.adjust = {
        .max_increase_pct = 20, .max_decrease_pct = 20, .min_rate = 1, .max_rate = 20'000};
    course.configured = consumption;
    course.length = period * 600;
    course.consumers = [consumption](double) { return consumption; };
    return course;
}

Case steady(double consumption, double period, bool poisson) {
    Case one{
        fmt::format(
            "{}/s {}, sampled each {}s", consumption, poisson ? "by chance" : "evenly", period),
        base(consumption, std::max(20.0, consumption), period)};
    one.course.poisson = poisson;
    one.from = 100 * period;
    return one;
}

Case doubled(double consumption, double period) {
    Case one{
        fmt::format("{}/s doubles, sampled each {}s", consumption, period),
        base(consumption, 2 * consumption, period)};
    one.course.poisson = true;
    one.from = 100 * period;
    one.change = 300 * period;
    one.course.consumers = [=](double t) {
        return t < 300 * period ? consumption : 2 * consumption;
    };
    return one;
}

Case sine() {
    Case one{"500/s ± 250/s, a sine of 60 s", base(500, 1000, 0.25), 30};
    one.course.length = 240;
    one.course.consumers = [](double t) {
        return 500 + (250 * std::sin(2 * std::numbers::pi * t / 60));
    };
    return one;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const double consumption : {5.0, 20.0, 40.0, 200.0, 1000.0, 4000.0})
        cases.push_back(steady(consumption, 0.25, false));
    for (const double consumption : {40.0, 200.0, 1000.0, 4000.0})
        cases.push_back(steady(consumption, 0.25, true));
    cases.push_back(steady(1000, 0.05, true));
    cases.push_back(steady(1000, 1, true));
    cases.push_back(doubled(500, 0.05));
    cases.push_back(doubled(500, 0.25));
    cases.push_back(sine());
    return cases;
}

// Samples until the depth is back within a fifth of the target for ten samples in a row.
std::string back_after(const Case& one, const Story& story) {
    if (one.change < 0) return "-";
    int in = 0;
    int count = 0;
    for (const Point& point : story.points) {
        if (point.at < one.change) continue;
        ++count;
        in = std::abs(point.depth - point.target) <= 0.2 * point.target ? in + 1 : 0;
        if (in == 10) return fmt::format("{}", count - 10);
    }
    return "never";
}

void tell(const Case& one, guard::Strategy strategy) {
    Course course = one.course;
    course.settings.adjust.strategy = strategy;
    const Story story = play(course);
    const Story::Span span{one.from};
    fmt::print(
        "{:<36} {:<10} {:>6.1f} {:>6.1f} {:>8.1f} {:>7.0f} {:>7.0f} {:>6}\n", one.name,
        strategy == guard::Strategy::predictive ? "predictive" : "stepwise",
        100 * story.part_within(0.1, span), 100 * story.part_within(0.2, span),
        100 * story.part_between(course.settings.min_depth, course.settings.max_depth, span),
        story.lowest(span), story.highest(span), back_after(one, story));
}

// The story that the plot shows: even, by chance, twice as much, stalled, back.
Course plotted() {
    Course course = base(500, 500, 0.25);
    course.poisson = true;
    course.length = 120;
    course.configured = 200;
    course.settings.adjust.min_rate = 20;
    course.consumers = [](double t) {
        if (t >= 30 && t < 60) return 1000.0;
        if (t >= 75 && t < 80) return 0.0;
        return 500.0;
    };
    return course;
}

template <class Value>
std::vector<bench::Dot> dots(const Story& story, const Value& value) {
    std::vector<bench::Dot> out;
    for (const Point& point : story.points) out.push_back({point.at, value(point)});
    return out;
}

bool draw(const std::string& path) {
    std::vector<bench::Diagram> all;
    Course course = plotted();
    const auto& settings = course.settings;
    double top = 30;
    for (const auto strategy : {guard::Strategy::predictive, guard::Strategy::stepwise}) {
        course.settings.adjust.strategy = strategy;
        const Story story = play(course);
        const auto name = strategy == guard::Strategy::predictive ? "predictive" : "stepwise";
        all.push_back(bench::Diagram{
            {top, 150, 2.0 * settings.target_depth, course.length},
            fmt::format("{}: depth, items (bracket in green)", name)}
                          .band(settings.min_depth, settings.max_depth)
                          .line("#07c", dots(story, [](const Point& p) { return p.depth; })));
        all.push_back(bench::Diagram{
            {top + 200, 110, 1600, course.length},
            fmt::format("{}: rate told (orange) and consumption (grey), 1/s", name)}
                          .line("#999", dots(story, [](const Point& p) { return p.consumption; }))
                          .line("#d60", dots(story, [](const Point& p) { return p.rate; })));
        top += 370;
    }
    return bench::write_plot(path, {.height = 760, .length = course.length, .mark = 20}, all);
}

} // namespace

int main(int argc, char** argv) {
    fmt::print(
        "{:<36} {:<10} {:>6} {:>6} {:>8} {:>7} {:>7} {:>6}\n", "consumption", "strategy", "±10 %",
        "±20 %", "bracket", "lowest", "highest", "back");
    bool ok = true;
    for (const Case& one : all_cases()) {
        tell(one, guard::Strategy::predictive);
        tell(one, guard::Strategy::stepwise);
        if (one.change >= 0 || one.course.poisson) continue;
        const auto& settings = one.course.settings;
        const double inside =
            play(one.course).part_between(settings.min_depth, settings.max_depth, {one.from});
        ok = ok && inside > 0.99;
    }
    const std::string path = argc > 1 ? argv[1] : "guard.svg";
    if (!draw(path)) {
        fmt::print(stderr, "{} could not be written\n", path);
        return EXIT_FAILURE;
    }
    fmt::print("plot: {}\n", path);
    if (!ok) fmt::print("the predictive guard left its bracket where nothing is left to chance\n");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

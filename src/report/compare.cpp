#include "report/compare.hpp"

#include "kernel/text.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::report {
namespace {

using telemetry::Series;
using telemetry::SeriesPoint;
using telemetry::Summary;
using Kind = Compared::Kind;
using Runs = std::span<const Summary>;

double error_share(const Summary& s) {
    if (s.requests.total == 0) return 0;
    return static_cast<double>(s.requests.failed) / static_cast<double>(s.requests.total);
}

struct Quantity {
    std::string_view name;
    Kind kind;
    bool counts;
    double (*of_run)(const Summary&);
    // What it is in one window; without it a series does not tell.
    void (*of_window)(const SeriesPoint&, Windows&);
};

void rate_window(const SeriesPoint& p, Windows& out) {
    out.add(p.done_per_sec, 1);
}
void error_window(const SeriesPoint& p, Windows& out) {
    out.add(p.failed_per_sec, p.done_per_sec);
}
// Where nothing was done there is no latency; the window stays, so that pairs stay pairs.
void p50_window(const SeriesPoint& p, Windows& out) {
    p.done_per_sec > 0 ? out.add(p.p50_us, 1) : out.add(0, 0);
}
void p99_window(const SeriesPoint& p, Windows& out) {
    p.done_per_sec > 0 ? out.add(p.p99_us, 1) : out.add(0, 0);
}

const std::vector<Quantity>& quantities() {
    static const std::vector<Quantity> all{
        {"rate", Kind::rate, true, [](const Summary& s) { return s.requests.rate_per_sec; },
         rate_window},
        {"error_rate", Kind::share, true, error_share, error_window},
        {"p50", Kind::micros, true, [](const Summary& s) { return s.latency_us.p50; }, p50_window},
        {"p90", Kind::micros, false, [](const Summary& s) { return s.latency_us.p90; }, nullptr},
        {"p99", Kind::micros, true, [](const Summary& s) { return s.latency_us.p99; }, p99_window},
        {"p999", Kind::micros, false, [](const Summary& s) { return s.latency_us.p999; }, nullptr},
        {"max", Kind::micros, false, [](const Summary& s) { return s.latency_us.max; }, nullptr},
        {"from_due.p99", Kind::micros, true,
         [](const Summary& s) { return s.latency_from_due_us.p99; }, nullptr},
    };
    return all;
}

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

std::vector<double> values_of(Runs runs, const Quantity& quantity) {
    std::vector<double> out;
    for (const Summary& run : runs) out.push_back(quantity.of_run(run));
    return out;
}

Windows windows_of(Runs runs, const Quantity& quantity) {
    Windows out;
    for (const Summary& run : runs) {
        for (const SeriesPoint& point : run.series.points) quantity.of_window(point, out);
    }
    return out;
}

// The same plan, second by second: then each window has its counterpart.
bool same_plan(Runs base, Runs fresh) {
    if (base.size() != 1 || fresh.size() != 1) return false;
    const Series& a = base.front().series;
    const Series& b = fresh.front().series;
    const std::size_t shared = std::min(a.points.size(), b.points.size());
    if (a.window_sec != b.window_sec || std::max(a.points.size(), b.points.size()) - shared > 2)
        return false;
    for (std::size_t i = 0; i < shared; ++i) {
        const double planned = a.points[i].planned_per_sec;
        if (planned <= 0) return false; // as fast as possible: nothing ties the windows together
        if (std::abs(planned - b.points[i].planned_per_sec) > 0.01 * planned) return false;
    }
    return shared > 0;
}

// Below it a difference means nothing, whatever share of the value it is.
double least_that_matters(const Compared& c, double tolerance) {
    constexpr double micros = 10;
    constexpr double share = 0.001;
    const double floor = c.kind == Kind::micros ? micros : c.kind == Kind::share ? share : 0;
    return std::max(tolerance * std::abs(c.base), floor);
}

Change direction(const Compared& c) {
    const bool more_is_better = c.kind == Kind::rate;
    return (c.fresh > c.base) == more_is_better ? Change::better : Change::worse;
}

Change judged(const Compared& c, double tolerance) {
    const double margin = least_that_matters(c, tolerance);
    const double apart = std::abs(c.fresh - c.base);
    if (!c.difference) {
        if (apart <= margin) return Change::same;
        return apart > 2 * margin ? direction(c) : Change::unclear;
    }
    const Interval& d = *c.difference;
    const bool real = d.low > 0 || d.high < 0;
    if (real && apart > margin) return direction(c);
    if (d.low >= -margin && d.high <= margin) return Change::same;
    return Change::unclear;
}

Compared compared(Runs base, Runs fresh, const Quantity& quantity, Random& random) {
    const auto before = values_of(base, quantity);
    const auto after = values_of(fresh, quantity);
    Compared out{
        .metric = std::string{quantity.name},
        .kind = quantity.kind,
        .base = mean_of(before),
        .fresh = mean_of(after),
        .counts = quantity.counts};
    if (auto by_runs = difference_of_means(before, after)) {
        out.difference = by_runs;
        out.method = Method::runs;
        return out;
    }
    if (!quantity.of_window) return out;
    const Windows a = windows_of(base, quantity);
    const Windows b = windows_of(fresh, quantity);
    out.difference = difference_by_blocks(a, b, same_plan(base, fresh), random);
    if (!out.difference) return out;
    out.method = Method::windows;
    // Judged by what the interval is about: percentiles of seconds, not of the whole run.
    out.base = a.value();
    out.fresh = b.value();
    return out;
}

Change verdict_of(const std::vector<Compared>& metrics) {
    const auto any = [&](Change change) {
        return std::ranges::any_of(
            metrics, [&](const Compared& c) { return c.counts && c.change == change; });
    };
    for (const Change change : {Change::worse, Change::unclear, Change::better}) {
        if (any(change)) return change;
    }
    return Change::same;
}

double planned_rate(const Summary& s) {
    return s.duration_sec > 0 ? static_cast<double>(s.load.planned) / s.duration_sec : 0;
}

std::vector<std::string> notes_of(Runs base, Runs fresh, const std::vector<Compared>& metrics) {
    std::vector<std::string> notes;
    const Summary& a = base.front();
    const Summary& b = fresh.front();
    if (a.scenario != b.scenario) {
        notes.push_back(fmt::format(
            "the scenarios differ: '{}' and '{}'", printable(a.scenario), printable(b.scenario)));
    }
    const double planned = planned_rate(a);
    if (std::abs(planned - planned_rate(b)) > 0.02 * std::max(planned, planned_rate(b))) {
        notes.push_back(fmt::format(
            "the loads differ: {} and {} were planned, so latencies say little", rate_text(planned),
            rate_text(planned_rate(b))));
    }
    const bool empty =
        std::ranges::any_of(base, [](const auto& s) { return s.requests.total == 0; }) ||
        std::ranges::any_of(fresh, [](const auto& s) { return s.requests.total == 0; });
    if (empty) notes.emplace_back("a run without any request is among them");
    const auto by = [&](Method method) {
        return std::ranges::any_of(
            metrics, [&](const Compared& c) { return c.counts && c.method == method; });
    };
    if (!by(Method::runs)) {
        notes.emplace_back(
            "there is one run on a side: how much runs of the same thing differ is not known; give "
            "two or more a side with --base and --new");
    }
    if (by(Method::windows)) {
        notes.emplace_back(
            "'by seconds' compares the means of the values of each second and draws the noise from "
            "them; a p99 there is the mean p99 of a second");
    }
    if (by(Method::tolerance)) {
        notes.emplace_back(
            "'by size' means that nothing is known about noise: up to the tolerance is the same, "
            "above twice of it a change, between them unclear");
    }
    return notes;
}

} // namespace

std::string_view name_of(Change change) noexcept {
    switch (change) {
    case Change::same: return "same";
    case Change::better: return "better";
    case Change::worse: return "worse";
    case Change::unclear: return "unclear";
    }
    return "";
}

std::string_view name_of(Method method) noexcept {
    switch (method) {
    case Method::runs: return "by runs";
    case Method::windows: return "by seconds";
    case Method::tolerance: return "by size";
    }
    return "";
}

Comparison compare(Runs base, Runs fresh, const CompareOptions& options) {
    Comparison out{
        .tolerance = options.tolerance, .base_runs = base.size(), .fresh_runs = fresh.size()};
    Random random{options.seed};
    for (const Quantity& quantity : quantities()) {
        Compared one = compared(base, fresh, quantity, random);
        one.change = judged(one, options.tolerance);
        out.metrics.push_back(std::move(one));
    }
    // Nothing was measured on a side: there is nothing to be the same as.
    const bool empty = base.front().requests.total == 0 || fresh.front().requests.total == 0;
    out.verdict = empty && verdict_of(out.metrics) != Change::worse ? Change::unclear
                                                                    : verdict_of(out.metrics);
    out.notes = notes_of(base, fresh, out.metrics);
    return out;
}

} // namespace hive::report

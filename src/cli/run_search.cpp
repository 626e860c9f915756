#include "cli/run_search.hpp"

#include "report/judged_text.hpp"
#include "report/units.hpp"
#include "run/fitting.hpp"
#include "run/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

using telemetry::Summary;

// A system that answers in time but less often than it is asked is behind all the same.
constexpr double keeps_up = 0.95;

Result<Play> play_at(const Play& play, double per_sec, Duration length) {
    auto text = run::with_rate(play.text, per_sec);
    if (!text) return fail(text.error());
    Play step = play;
    step.text = *std::move(text);
    step.planned.reset();
    step.course.length = length;
    return step;
}

Summary::RateStep step_of(const report::Run& run, double per_sec) {
    const Summary& summary = run.summary;
    const auto& requests = summary.requests;
    Summary::RateStep step{
        .rate_per_sec = per_sec,
        .achieved_per_sec = requests.rate_per_sec,
        .p50_us = summary.latency_us.p50,
        .p99_us = summary.latency_us.p99,
        .error_rate = requests.total == 0 ? 0
                                          : static_cast<double>(requests.failed) /
                                                static_cast<double>(requests.total)};
    const auto broken = std::ranges::find(summary.thresholds, false, &Summary::Judged::ok);
    if (broken != summary.thresholds.end()) {
        step.broken = broken->expr;
    } else if (requests.rate_per_sec < per_sec * keeps_up) {
        step.broken = "keeps up with 95 % of it";
    }
    step.ok = step.broken.empty();
    return step;
}

std::string line_of(const Summary::RateStep& step) {
    using namespace report;
    return fmt::format(
        "{:>10} {} {:>10} done  p50 {:>8}  p99 {:>8}  errors {:>7}  {}",
        rate_text(step.rate_per_sec), step.ok ? "✓" : "✗", rate_text(step.achieved_per_sec),
        micros_text(step.p50_us), micros_text(step.p99_us), share_text(step.error_rate),
        step.broken);
}

Status check(const Play& play, const RunOptions& options) {
    if (!play.markers.empty()) {
        return fail(
            Errc::invalid, "--find-max: the plan of the scenario changes on the way, so no rate "
                           "could be told from another; try a scenario without one");
    }
    if (options.duration) {
        return fail(Errc::invalid, "--find-max: --step-duration says how long each rate is tried");
    }
    if (!options.rate.empty()) {
        return fail(
            Errc::invalid, "--find-max looks for the rate itself; --from and --to bound it");
    }
    if (options.from > options.to) return fail(Errc::invalid, "--from is above --to");
    return {};
}

// What was asked for, unless nothing was.
Status fill_thresholds(std::vector<telemetry::Threshold>& thresholds) {
    if (!thresholds.empty()) return {};
    auto usual = thresholds_of({"p99 < 100ms", "error_rate < 1%"});
    if (!usual) return fail(usual.error());
    thresholds = *std::move(usual);
    return {};
}

bool is_over(const report::Run& run) {
    return run.verdict == report::Verdict::interrupted || run.verdict == report::Verdict::broken;
}

void conclude(report::Run& run, Summary::FindMax found) {
    if (!is_over(run)) {
        run.verdict = found.rate_per_sec ? report::Verdict::passed : report::Verdict::failed;
        run.reason = report::found_text(found);
    }
    run.summary.find_max = std::move(found);
}

} // namespace

Result<report::Run>
find_max(const Play& given, const RunOptions& options, Performance& performance) {
    if (auto ok = check(given, options); !ok) return fail(ok.error());
    Play play = given;
    if (auto ok = fill_thresholds(play.course.thresholds); !ok) return fail(ok.error());
    run::Search search{{.from = options.from, .to = options.to}};
    Summary::FindMax found;
    report::Run best;
    while (const auto per_sec = search.next()) {
        auto step = play_at(play, *per_sec, options.step_duration);
        if (!step) return fail(step.error());
        auto run = performance.perform(*step);
        if (!run) return run;
        if (is_over(*run)) {
            conclude(*run, std::move(found));
            return run;
        }
        found.steps.push_back(step_of(*run, *per_sec));
        performance.say(line_of(found.steps.back()));
        const bool held = found.steps.back().ok;
        if (held || !search.highest_held()) best = *std::move(run);
        search.tell(held);
        found.rate_per_sec = search.highest_held();
        found.too_much_per_sec = search.lowest_failed();
    }
    conclude(best, std::move(found));
    return best;
}

} // namespace hive::cli

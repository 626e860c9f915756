#include "cli/run_director.hpp"

#include "report/series.hpp"
#include "run/fitting.hpp"
#include "telemetry/threshold.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

namespace hive::cli {
namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Of this process and of those it has waited for.
telemetry::Summary::Process process_usage() {
    telemetry::Summary::Process out;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        ::getrusage(who, &usage);
        out.cpu_sec += seconds(usage.ru_utime) + seconds(usage.ru_stime);
        out.peak_rss_bytes =
            std::max(out.peak_rss_bytes, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
    }
    return out;
}

// Once a second signal came, nothing takes longer than this.
constexpr Duration haste = std::chrono::seconds{1};

struct Judgement {
    report::Verdict verdict = report::Verdict::passed;
    std::string reason{};
};

bool judges_failures(const telemetry::Summary::Judged& judged) {
    const auto threshold = telemetry::parse_threshold(judged.expr);
    return threshold && telemetry::judges_failures(threshold->metric);
}

Judgement judgement_of(const run::Course& course, const telemetry::Summary& summary) {
    using report::Verdict;
    if (course.ending() == run::Ending::interrupted) return {Verdict::interrupted, "interrupted"};
    if (course.ending() == run::Ending::threshold) {
        return {Verdict::aborted, fmt::format("ended early: {} does not hold", course.broken())};
    }
    const auto broken =
        std::ranges::count(summary.thresholds, false, &telemetry::Summary::Judged::ok);
    if (broken > 0) {
        return {
            Verdict::failed,
            fmt::format("{} of {} thresholds broken", broken, summary.thresholds.size())};
    }
    if (summary.requests.total == 0) return {Verdict::broken, "no call was made"};
    // The one promise that everybody expects, unless thresholds say what failures may be: the
    // latency of calls that nobody answered is no success.
    const bool all_failed = summary.requests.failed == summary.requests.total;
    if (all_failed && std::ranges::none_of(summary.thresholds, judges_failures)) {
        return {Verdict::broken, "every call failed; the errors say why"};
    }
    return {};
}

} // namespace

// Does the work while signals are heard: after the first one the stage has as much patience left
// as is said, after the second one none.
template <class Work>
Status Director::watched(run::Patience after_first, const Work& work) {
    const SignalWatch watch{
        parts_.signals,
        [this, after_first](int signal) -> std::optional<Duration> {
            if (signal == SIGHUP) return std::nullopt;
            const bool first = ++signals_ == 1;
            parts_.stage.hurry(first ? after_first : run::Patience::none);
            return first ? std::nullopt : std::optional{haste};
        },
        parts_.leave};
    return work();
}

Result<report::Run> Director::direct(const Play& play) {
    const Status begun = begin(play);
    if (!begun && signals_ == 0) {
        const Status removed = remove();
        if (removed) return fail(begun.error());
        return fail(
            begun.error().code,
            fmt::format("{}; and {}", begun.error().detail, removed.error().detail));
    }
    const TimePoint start = parts_.clock.now();
    run::Course course{play.course, start};
    run::Recorder recorder{
        {.scenario = play.scenario,
         .swarm = play.swarm,
         .started_at = parts_.clock.wall(),
         .start = start,
         .planned = play.course.length}};
    report::Run& run = recorder.run();
    run.markers = play.markers;
    run.graph = run::graph_of(play.text);
    if (signals_ > 0) course.interrupt(start);
    if (begun) {
        carry_on(course, recorder);
        conclude(play, course, recorder);
    } else {
        run.verdict = report::Verdict::interrupted;
        run.reason = "interrupted before the load began";
    }
    if (const Status removed = remove(); !removed) {
        // Whoever could not wait knows why.
        if (!in_haste()) run.verdict = report::Verdict::broken;
        run.reason += (run.reason.empty() ? "" : "; ") + removed.error().detail;
    }
    run.summary.process = process_usage();
    return std::move(run);
}

Status Director::begin(const Play& play) {
    return watched(run::Patience::removal, [&]() -> Status {
        const json::object text = run::fit_for_run(play.text);
        if (auto ok = parts_.stage.create(text, play.plan); !ok) return ok;
        if (auto ok = parts_.stage.start(); !ok) return ok;
        return parts_.stage.hold(false);
    });
}

Status Director::remove() {
    const auto ok = watched(run::Patience::removal, [&] { return parts_.stage.remove(); });
    if (ok || ok.error().code == Errc::not_found) return {};
    return fail(ok.error().code, "the swarm could not be removed: " + ok.error().detail);
}

void Director::hear(run::Course& course, int signal) {
    if (signal == SIGHUP) return;
    if (++signals_ > 1) parts_.stage.hurry(run::Patience::none);
    course.interrupt(parts_.clock.now());
}

void Director::carry_on(run::Course& course, run::Recorder& recorder) {
    bool held = false;
    while (course.phase() != run::Phase::over) {
        const TimePoint now = parts_.clock.now();
        const auto signal = parts_.signals.next_within(course.next_look(now) - now);
        if (signal) hear(course, *signal);
        const auto sight = parts_.stage.look();
        if (!sight) {
            broken_ = sight.error().detail;
            return;
        }
        if (course.phase() != run::Phase::over) {
            recorder.see(*sight);
            course.see(*sight, recorder.run().summary);
        }
        if (!held && course.phase() != run::Phase::loading) {
            held = true;
            recorder.load_ended(course.load_ended());
            hold(course);
        }
        parts_.show(recorder.run());
        if (broken_.empty()) broken_ = parts_.stage.trouble();
        if (!broken_.empty()) return;
    }
}

// However eager somebody is to leave: producers that go on would never come to rest.
void Director::hold(run::Course& course) {
    const int before = signals_;
    const auto ok = watched(run::Patience::full, [&] { return parts_.stage.hold(true); });
    if (!ok && !in_haste()) broken_ = ok.error().detail;
    if (signals_ > before) course.interrupt(parts_.clock.now());
}

// What is not in it would be missing from every count, so whoever does not answer is asked again.
void Director::last_look(run::Recorder& recorder) {
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        const auto sight = parts_.stage.look();
        if (!sight) {
            if (broken_.empty()) {
                broken_ = "how it ended is not known, the figures are from before: " +
                          sight.error().detail;
            }
            return;
        }
        if (sight->silent.empty() || i + 1 == tries || in_haste()) {
            recorder.finish(*sight);
            if (sight->silent.empty() || !broken_.empty()) return;
            broken_ = fmt::format(
                "no answer at the end from {}: what it did last is not in the figures",
                fmt::join(sight->silent, ", "));
            return;
        }
    }
}

void Director::conclude(const Play& play, const run::Course& course, run::Recorder& recorder) {
    report::Run& run = recorder.run();
    last_look(recorder);
    telemetry::Summary& summary = run.summary;
    if (play.planned) summary.load.planned = std::max(summary.load.planned, *play.planned);
    summary.load.dropped += recorder.left_over();
    summary.series = report::series_of(run.moments);
    for (const auto& threshold : play.course.thresholds) {
        summary.thresholds.push_back(judge(threshold, summary));
    }
    auto [verdict, reason] = judgement_of(course, summary);
    if (!recorder.measured() && verdict == report::Verdict::broken) {
        verdict = report::Verdict::passed;
        reason = "nothing was measured: the scenario has no post-processor";
    }
    // Whoever leaves at once does so before all is told.
    const bool expected = in_haste() && verdict == report::Verdict::interrupted;
    run.verdict = broken_.empty() || expected ? verdict : report::Verdict::broken;
    run.reason = broken_.empty() ? std::move(reason) : broken_;
    if (expected && !broken_.empty()) run.reason = "interrupted; " + broken_;
}

} // namespace hive::cli

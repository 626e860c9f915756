#pragma once

#include "kernel/random.hpp"
#include "report/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace hive::tests {

// A run as they are: a ramp over the knee at 4,500/s, a hold, a spike, errors where the system is
// over its limit, a guarded queue. The same seed gives the same run.
struct SampleRun {
    std::size_t seconds = 180;
    std::uint64_t seed = 7;
    double knee = 4'500;
    double slower = 1; // a factor on every latency

    report::Run make() const;

private:
    double planned_at(double sec) const;
    report::Moment moment_at(std::size_t second, Random& random, double& backlog) const;
    telemetry::Latencies latencies(double p50, double load) const;
    static telemetry::Latencies of_distribution(const std::vector<report::Bar>& bars);
    static void add_up(report::Run& run);
    static void describe(report::Run& run, double seconds);
};

inline double SampleRun::planned_at(double sec) const {
    const double at = sec / static_cast<double>(seconds);
    if (at < 0.4) return 500 + 4'700 * at / 0.4;
    if (at >= 0.65 && at < 0.72) return 6'500;
    return 3'600;
}

inline telemetry::Latencies SampleRun::latencies(double p50, double load) const {
    const double tail = 1.6 + 4 * std::pow(std::min(load, 1.3), 4);
    return {
        .p50 = p50,
        .p90 = p50 * (1 + tail * 0.3),
        .p95 = p50 * (1 + tail * 0.5),
        .p99 = p50 * (1 + tail),
        .p999 = p50 * (1 + tail * 1.7),
        .max = p50 * (1 + tail * 2.9),
        .mean = p50 * 1.15};
}

inline report::Moment
SampleRun::moment_at(std::size_t second, Random& random, double& backlog) const {
    const double planned = planned_at(static_cast<double>(second));
    const double offered = planned + backlog;
    const double done = std::min(offered, knee * (0.99 + 0.02 * random.unit()));
    backlog = std::min(offered - done, 6'000.0);
    const double load = std::min(offered / knee, 1.3);
    const double p50 = slower * (700 + 900 * std::pow(load, 6)) * (0.97 + 0.06 * random.unit());
    report::Moment m{
        .at_sec = static_cast<double>(second + 1),
        .planned_per_sec = planned,
        .sent_per_sec = done,
        .done_per_sec = done};
    m.latency_us = latencies(p50, load);
    m.latency_from_due_us = latencies(p50 + backlog / knee * 1e6, load);
    const auto timeouts = load > 1.1 ? static_cast<std::uint64_t>(done * 0.012) : 0;
    const auto refused = load > 1.2 ? static_cast<std::uint64_t>(done * 0.03) : 0;
    if (timeouts > 0) m.errors["timeout"] = timeouts;
    if (refused > 0) m.errors["http-503"] = refused;
    m.failed_per_sec = static_cast<double>(timeouts + refused);
    const double guarded = 800 + 220 * (random.unit() - 0.5) + backlog / 8;
    m.depths = {
        {"gen", static_cast<std::uint64_t>(backlog / 4)},
        {"mod", static_cast<std::uint64_t>(guarded)},
        {"final", static_cast<std::uint64_t>(20 * random.unit())}};
    m.guards["mod"] = {guarded > 1'000 ? "DRAINING" : "STEADY", guarded, 800, done};
    m.bees = {
        {"generator", "alpha-generator-1", done, backlog > 0 ? "throttled" : "ok"},
        {"moderator", "alpha-moderator-1", done, "ok"},
        {"processor", "alpha-processor-1", done * 0.52, load > 1 ? "saturated" : "ok"},
        {"processor", "alpha-processor-2", done * 0.48, load > 1 ? "saturated" : "ok"},
        {"postprocessor", "alpha-postprocessor-1", done, "ok"}};
    return m;
}

inline void SampleRun::add_up(report::Run& run) {
    telemetry::Summary& s = run.summary;
    double planned = 0;
    double done = 0;
    double failed = 0;
    for (const report::Moment& m : run.moments) {
        planned += m.planned_per_sec;
        done += m.done_per_sec;
        failed += m.failed_per_sec;
        for (const auto& [name, count] : m.errors) run.errors[name] += count;
        for (const auto& [name, depth] : m.depths) {
            s.queues[name].max_depth = std::max(s.queues[name].max_depth, depth);
            s.queues[name].end_depth = depth;
        }
        // The distribution of a run is the sum of those of its seconds; a coarse one will do.
        const double shares[] = {0.5, 0.4, 0.05, 0.04, 0.009, 0.001};
        const double ends[] = {m.latency_us.p50, m.latency_us.p90,  m.latency_us.p95,
                               m.latency_us.p99, m.latency_us.p999, m.latency_us.max};
        double from = m.latency_us.p50 * 0.6;
        for (std::size_t i = 0; i < 6; ++i) {
            for (int k = 0; k < 60; ++k) {
                const double us = from + (ends[i] - from) * (k + 0.5) / 60;
                const auto bar = static_cast<std::size_t>(std::max(0.0, 12 * std::log2(us / 300)));
                while (run.distribution.size() <= bar) {
                    const auto n = static_cast<double>(run.distribution.size() + 1);
                    run.distribution.push_back({300 * std::exp2(n / 12), 0});
                }
                run.distribution[bar].count +=
                    static_cast<std::uint64_t>(m.done_per_sec * shares[i] / 60 + 0.5);
            }
            from = ends[i];
        }
    }
    const double seconds = static_cast<double>(run.moments.size());
    const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
    s.load = {whole(planned), whole(done), whole(planned - done), done / seconds, 1'840.5};
    s.requests = {whole(done), whole(failed), done / seconds, {}};
    s.requests.by_status = {
        {"200", whole(done - failed)},
        {"503", run.errors["http-503"]},
        {"timeout", run.errors["timeout"]}};
    s.bytes = {whole(done) * 214, whole(done) * 1'340};
    s.bees = {
        {"generator", "alpha-generator-1", whole(done), 0},
        {"moderator", "alpha-moderator-1", whole(done), 0},
        {"processor", "alpha-processor-1", whole(done * 0.52), whole(failed)},
        {"processor", "alpha-processor-2", whole(done * 0.48), 0},
        {"postprocessor", "alpha-postprocessor-1", whole(done), 0}};
}

inline telemetry::Latencies SampleRun::of_distribution(const std::vector<report::Bar>& bars) {
    std::uint64_t all = 0;
    for (const report::Bar& bar : bars) all += bar.count;
    const auto at = [&](double share) {
        std::uint64_t seen = 0;
        for (const report::Bar& bar : bars) {
            seen += bar.count;
            if (static_cast<double>(seen) >= share * static_cast<double>(all)) return bar.up_to_us;
        }
        return 0.0;
    };
    return {at(0.5), at(0.9), at(0.95), at(0.99), at(0.999), at(1), at(0.5) * 1.3};
}

inline void SampleRun::describe(report::Run& run, double seconds) {
    telemetry::Summary& s = run.summary;
    s.scenario = "checkout: ramp over the knee";
    s.swarm_id = "alpha";
    s.started_at = Timestamp{std::chrono::seconds{1'750'000'000}};
    s.duration_sec = seconds;
    s.latency_us = of_distribution(run.distribution);
    s.latency_from_due_us = s.latency_us;
    s.latency_from_due_us.p99 *= 24;
    s.latency_from_due_us.p999 *= 20;
    s.latency_from_due_us.max = s.latency_from_due_us.p999 * 1.1;
    s.calls["login"] = {s.requests.total / 4, 12, s.latency_us, s.latency_from_due_us};
    s.calls["checkout"] = {
        s.requests.total - s.requests.total / 4, s.requests.failed, s.latency_us,
        s.latency_from_due_us};
    s.thresholds = {
        {"p99 < 100ms", s.latency_us.p99, true},
        {"from_due.p99 < 500ms", s.latency_from_due_us.p99, false},
        {"error_rate < 0.1%", 0.0061, false},
        {"rate > 3000/s", s.requests.rate_per_sec, true},
        {"p95{call=search} < 20ms", std::nullopt, false}};
    s.process = {41.7, 38'400'000};
    run.markers = {
        {0, "ramp to 5,200/s"},
        {seconds * 0.4, "hold 3,600/s"},
        {seconds * 0.65, "spike to 6,500/s"},
        {seconds * 0.72, "back to 3,600/s"}};
    run.brackets["mod"] = {600, 800, 1'000};
    run.environment = {
        {"program", "hive 0.4.0"},
        {"machine", "2 × Xeon, 24 GB"},
        {"bus", "in this process"},
        {"system under test", "http://127.0.0.1:8080 <shop & till>"}};
    run.graph = {
        {"generator", "gen", "moderator"},
        {"moderator", "mod", "processor"},
        {"processor", "final", "postprocessor"}};
}

inline report::Run SampleRun::make() const {
    report::Run run;
    Random random{seed};
    double backlog = 0;
    for (std::size_t i = 0; i < seconds; ++i) run.moments.push_back(moment_at(i, random, backlog));
    add_up(run);
    describe(run, static_cast<double>(seconds));
    run.planned_sec = static_cast<double>(seconds);
    run.verdict = report::Verdict::failed;
    run.reason = "3 of 5 thresholds were broken";
    return run;
}

// The same run while it is at that second.
inline report::Run at_second(report::Run run, std::size_t second) {
    run.moments.resize(std::min(second, run.moments.size()));
    run.summary.duration_sec = static_cast<double>(run.moments.size());
    run.verdict = report::Verdict::running;
    run.reason.clear();
    return run;
}

} // namespace hive::tests

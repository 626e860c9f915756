#include "run/recorder.hpp"

#include "report/distribution.hpp"

#include <algorithm>
#include <utility>

namespace hive::run {
namespace {

// A rest of a window this short says nothing of a rate.
constexpr double window_sec_min = 0.2;

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::uint64_t count_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    if (value == nullptr) return 0;
    if (value->is_uint64()) return value->get_uint64();
    return value->is_int64() ? static_cast<std::uint64_t>(value->get_int64()) : 0;
}

} // namespace

Recorder::Recorder(Subject subject) : subject_{std::move(subject)}, before_at_{subject_.start} {
    run_.summary.scenario = subject_.scenario;
    run_.summary.swarm_id = subject_.swarm;
    run_.summary.started_at = subject_.started_at;
    if (subject_.planned) run_.planned_sec = seconds(*subject_.planned);
}

double Recorder::seconds_until(TimePoint at) const {
    return std::max(seconds(at - subject_.start), 0.0);
}

void Recorder::see(const Sight& sight) {
    Totals totals = totals_of(sight);
    count(sight, totals);
    if (sight.at - before_at_ >= window) add_moment(sight, std::move(totals));
}

void Recorder::finish(const Sight& sight) {
    Totals totals = totals_of(sight);
    count(sight, totals);
    run_.distribution = report::bars_of(totals.latency);
    if (totals.done > before_.done && seconds(sight.at - before_at_) >= window_sec_min) {
        add_moment(sight, std::move(totals));
    }
}

void Recorder::count(const Sight& sight, const Totals& totals) {
    telemetry::Summary& summary = run_.summary;
    summary.duration_sec = seconds_until(ended_.value_or(sight.at));
    const double per = summary.duration_sec > 0 ? 1 / summary.duration_sec : 0;
    // What was still under way when the load ended took its own time. The last call has ended
    // somewhere between two looks: at the first of them at least.
    if (totals.done > summary.requests.total) last_done_ = before_last_done_;
    before_last_done_ = sight.at;
    const double answered_sec = std::max(summary.duration_sec, seconds_until(last_done_));
    summary.load.sent = totals.sent;
    summary.load.dropped = totals.dropped;
    summary.load.planned = std::max(summary.load.planned, totals.sent + totals.dropped);
    summary.load.rate_per_sec = static_cast<double>(totals.sent) * per;
    summary.load.max_schedule_lag_us = totals.lag_max_us;
    summary.requests = {
        .total = totals.done,
        .failed = totals.failed,
        .rate_per_sec = answered_sec > 0 ? static_cast<double>(totals.done) / answered_sec : 0,
        .by_status = totals.by_status};
    summary.latency_us = latencies_of(totals.latency);
    summary.latency_from_due_us = latencies_of(totals.from_due);
    summary.bytes = totals.bytes;
    summary.calls = totals.calls;
    summary.dimensions = totals.dimensions;
    summary.bees.clear();
    for (const BeeSight& bee : sight.bees) {
        summary.bees.push_back(
            {.role = bee.role,
             .instance = bee.instance,
             .processed = count_in(bee.work, "processed"),
             .failed = count_in(bee.work, "failed")});
    }
    measured_ = measured_ || totals.measured;
    left_over_ = 0;
    for (const auto& [queue, depth] : sight.depths) {
        if (!sight.unread.contains(queue)) left_over_ += depth;
        auto& seen = summary.queues[queue];
        seen.max_depth = std::max(seen.max_depth, depth);
        seen.end_depth = depth;
    }
    run_.errors.clear();
    for (const auto& [status, calls] : totals.by_status) {
        if (!is_fine(status)) run_.errors[status] = calls;
    }
}

void Recorder::add_moment(const Sight& sight, Totals totals) {
    const double passed = seconds(sight.at - before_at_);
    const auto rate = [&](std::uint64_t now, std::uint64_t before) {
        return now > before ? static_cast<double>(now - before) / passed : 0;
    };
    report::Moment moment{
        .at_sec = seconds_until(sight.at),
        .window_sec = passed,
        .planned_per_sec = ended_ ? 0 : totals.planned_per_sec,
        .sent_per_sec = rate(totals.sent, before_.sent),
        .done_per_sec = rate(totals.done, before_.done),
        .failed_per_sec = rate(totals.failed, before_.failed),
        .latency_us = latencies_of(totals.latency.since(before_.latency)),
        .latency_from_due_us = latencies_of(totals.from_due.since(before_.from_due)),
        .depths = sight.depths};
    for (const auto& [status, calls] : totals.by_status) {
        const std::uint64_t before = before_.by_status[status];
        if (!is_fine(status) && calls > before) moment.errors[status] = calls - before;
    }
    for (const BeeSight& bee : sight.bees) {
        moment.bees.push_back(
            {.role = bee.role,
             .instance = bee.instance,
             .per_sec = static_cast<double>(bee.per_sec),
             .state = state_of(bee)});
    }
    for (const GuardSight& guard : sight.guards) {
        moment.guards[guard.queue] = {guard.state, guard.depth, guard.target, guard.rate};
        run_.brackets[guard.queue] = {guard.min, guard.target, guard.max};
    }
    run_.moments.push_back(std::move(moment));
    before_ = std::move(totals);
    before_at_ = sight.at;
}

} // namespace hive::run

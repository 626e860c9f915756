#include "run/totals.hpp"

#include "telemetry/histogram_text.hpp"

#include <algorithm>

namespace hive::run {
namespace {

const json::object* object_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value == nullptr ? nullptr : value->if_object();
}

double number_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::uint64_t count_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    if (value == nullptr || !value->is_number()) return 0;
    boost::system::error_code bad;
    const auto count = value->to_number<std::uint64_t>(bad);
    return bad ? 0 : count;
}

void add_producer(const json::object& scheduler, Totals& totals) {
    totals.sent += count_in(scheduler, "sent");
    totals.dropped += count_in(scheduler, "dropped") + count_in(scheduler, "failed");
    totals.planned_per_sec += number_in(scheduler, "ratePerSec"); // text when there is none
    totals.lag_max_us = std::max(totals.lag_max_us, number_in(scheduler, "maxLagUs"));
}

// A histogram that cannot be read is as good as none: whoever sent it is not of our making.
void add_histogram(const json::object& from, std::string_view name, telemetry::Histogram& to) {
    const auto* text = from.if_contains(name);
    if (text == nullptr || !text->is_string()) return;
    if (const auto read = telemetry::parse_histogram(text->get_string())) to.merge(*read);
}

telemetry::Latencies latencies_in(const json::object& from, std::string_view name) {
    const auto* us = object_in(from, name);
    if (us == nullptr) return {};
    return {
        .p50 = number_in(*us, "p50"),
        .p90 = number_in(*us, "p90"),
        .p95 = number_in(*us, "p95"),
        .p99 = number_in(*us, "p99"),
        .p999 = number_in(*us, "p999"),
        .max = number_in(*us, "max"),
        .mean = number_in(*us, "mean")};
}

// Percentiles of several bees cannot be added: the true one is never above the largest of them. A
// mean is that of all calls.
void add_latencies(
    telemetry::Latencies& all, const telemetry::Latencies& one, double share_of_one) {
    all.p50 = std::max(all.p50, one.p50);
    all.p90 = std::max(all.p90, one.p90);
    all.p95 = std::max(all.p95, one.p95);
    all.p99 = std::max(all.p99, one.p99);
    all.p999 = std::max(all.p999, one.p999);
    all.max = std::max(all.max, one.max);
    all.mean += (one.mean - all.mean) * share_of_one;
}

using Calls = std::map<std::string, telemetry::Summary::Call>;

void add_calls(const json::object& calls, Calls& to) {
    for (const auto& [id, value] : calls) {
        const auto* call = value.if_object();
        const std::uint64_t total = call == nullptr ? 0 : count_in(*call, "total");
        if (total == 0) continue;
        auto& all = to[std::string{id}];
        all.upper_bound = all.total > 0;
        all.total += total;
        all.failed += count_in(*call, "failed");
        const double share = static_cast<double>(total) / static_cast<double>(all.total);
        add_latencies(all.latency_us, latencies_in(*call, "latencyUs"), share);
        add_latencies(all.latency_from_due_us, latencies_in(*call, "latencyFromDueUs"), share);
    }
}

void add_measured(const json::object& work, Totals& totals) {
    totals.measured = true;
    totals.done += count_in(work, "transactions");
    totals.failed += count_in(work, "failed");
    if (const auto* shared = object_in(work, "histograms")) {
        add_histogram(*shared, "latency", totals.latency);
        add_histogram(*shared, "latencyFromDue", totals.from_due);
    }
    if (const auto* statuses = object_in(work, "byStatus")) {
        for (const auto& [status, count] : *statuses) {
            totals.by_status[std::string{status}] += count_in(*statuses, status);
        }
    }
    if (const auto* calls = object_in(work, "calls")) add_calls(*calls, totals.calls);
    if (const auto* found = object_in(work, "dimensions")) add_calls(*found, totals.dimensions);
    if (const auto* bytes = object_in(work, "bytes")) {
        totals.bytes.sent += count_in(*bytes, "sent");
        totals.bytes.received += count_in(*bytes, "received");
    }
}

} // namespace

Totals totals_of(const Sight& sight) {
    Totals totals;
    for (const BeeSight& bee : sight.bees) {
        if (const auto* scheduler = object_in(bee.work, "scheduler")) {
            add_producer(*scheduler, totals);
        }
        if (bee.work.contains("histograms")) add_measured(bee.work, totals);
    }
    return totals;
}

bool is_fine(std::string_view status) {
    if (status == "0") return true;
    return status.size() == 3 && (status[0] == '1' || status[0] == '2' || status[0] == '3');
}

} // namespace hive::run

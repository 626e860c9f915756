#include "bees/postprocessor/measure_text.hpp"

#include "kernel/append_format.hpp"
#include "telemetry/histogram_text.hpp"
#include "telemetry/prometheus.hpp"
#include "telemetry/summary.hpp"

#include <fmt/format.h>

namespace hive::bees {
namespace {

json::object to_json(const telemetry::Histogram& histogram) {
    const auto us = telemetry::latencies_of(histogram);
    return {{"p50", us.p50},   {"p90", us.p90}, {"p95", us.p95},  {"p99", us.p99},
            {"p999", us.p999}, {"max", us.max}, {"mean", us.mean}};
}

json::object to_json(const Tally& tally) {
    return {
        {"total", tally.successes.total},
        {"failed", tally.successes.failed},
        {"latencyUs", to_json(tally.service)},
        {"latencyFromDueUs", to_json(tally.from_due)}};
}

json::object to_json(const telemetry::Keyed<Tally>& tallies) {
    json::object out;
    for (const auto& [key, tally] : tallies.values()) out[key] = to_json(tally);
    if (tallies.overflowed() > 0) out["(other)"] = to_json(tallies.other());
    return out;
}

// A value of a label, as the format wants it.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '"') out += '\\';
        if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
    return out;
}

// What one bee writes on a page of all.
class Page {
public:
    Page(telemetry::MetricsPage& page, const Measured& bee)
        : page_{page}, bee_{bee},
          own_{fmt::format(
              R"(ph_swarm="{}",ph_role="{}",ph_instance="{}")", escaped(bee.swarm),
              escaped(bee.role), escaped(bee.instance))} {}

    template <class Write>
    void family(const telemetry::MetricFamily& family, const Write& write) {
        name_ = family.name;
        out_ = &page_.lines_of(family);
        write(bee_.measure);
    }
    // `label` is empty or like `call`.
    void number(double value, std::string_view label = {}, std::string_view of = {}) {
        append_format(*out_, "{}{{{}}} {}\n", name_, labels(label, of), value);
    }
    void number(std::uint64_t value, std::string_view label = {}, std::string_view of = {}) {
        number(static_cast<double>(value), label, of);
    }
    void histogram(
        const telemetry::Histogram& values, std::string_view label = {}, std::string_view of = {}) {
        telemetry::append_prometheus(*out_, name_, labels(label, of), values);
    }

private:
    std::string labels(std::string_view label, std::string_view of) const {
        if (label.empty()) return own_;
        return fmt::format(R"({},{}="{}")", own_, label, escaped(of));
    }

    telemetry::MetricsPage& page_;
    const Measured& bee_;
    std::string own_;
    std::string_view name_{};
    std::string* out_ = nullptr;
};

void append_calls(Page& page) {
    page.family(
        {"ph_calls_total", "counter", "Calls that were measured"},
        [&](const Measure& measure) { page.number(measure.all().successes.total); });
    page.family(
        {"ph_calls_failed_total", "counter", "Calls that failed, by answer or by rule"},
        [&](const Measure& measure) { page.number(measure.all().successes.failed); });
    page.family(
        {"ph_calls_success_ratio", "gauge", "Share of calls that went well"},
        [&](const Measure& measure) { page.number(measure.all().successes.ratio()); });
    page.family(
        {"ph_calls_by_status_total", "counter", "Calls by status or class of error"},
        [&](const Measure& measure) {
            for (const auto& [status, calls] : measure.by_status().values()) {
                page.number(calls, "status", status);
            }
        });
    page.family(
        {"ph_calls_failed_by_id_total", "counter", "Failed calls by call id"},
        [&](const Measure& measure) {
            for (const auto& [call, tally] : measure.by_call().values()) {
                page.number(tally.successes.failed, "call", call);
            }
        });
}

void append_call_times(Page& page) {
    page.family(
        {"ph_call_seconds", "histogram", "Time of a call from its sending"},
        [&](const Measure& measure) { page.histogram(measure.all().service); });
    page.family(
        {"ph_call_from_due_seconds", "histogram", "Time of a call from when it was due"},
        [&](const Measure& measure) { page.histogram(measure.all().from_due); });
    page.family(
        {"ph_call_by_id_seconds", "histogram", "Time of a call by its id"},
        [&](const Measure& measure) {
            for (const auto& [call, tally] : measure.by_call().values()) {
                page.histogram(tally.service, "call", call);
            }
        });
    page.family(
        {"ph_call_by_dimension_seconds", "histogram", "Time of a call by what rules found"},
        [&](const Measure& measure) {
            for (const auto& [dimension, tally] : measure.by_dimension().values()) {
                page.histogram(tally.service, "dimension", dimension);
            }
        });
}

void append_ways(Page& page) {
    page.family(
        {"ph_hop_seconds", "histogram", "Time of items inside a bee"}, [&](const Measure& measure) {
            for (const auto& [role, times] : measure.by_hop().values()) {
                page.histogram(times, "hop", role);
            }
        });
    page.family(
        {"ph_queue_wait_seconds", "histogram", "Time of items between bees"},
        [&](const Measure& measure) { page.histogram(measure.queue_wait()); });
    page.family(
        {"ph_total_seconds", "histogram", "Time of items from the first bee to this one"},
        [&](const Measure& measure) { page.histogram(measure.total()); });
}

} // namespace

void report(const Measure& measure, json::object& into) {
    const Tally& all = measure.all();
    into["transactions"] = all.successes.total;
    into["failed"] = all.successes.failed;
    if (all.successes.total == 0) return;
    into["bytes"] = {{"sent", measure.sent_bytes()}, {"received", measure.received_bytes()}};
    into["successRatio"] = all.successes.ratio();
    into["latencyUs"] = to_json(all.service);
    into["latencyFromDueUs"] = to_json(all.from_due);
    into["totalUs"] = to_json(measure.total());
    into["queueWaitUs"] = to_json(measure.queue_wait());
    json::object hops;
    for (const auto& [role, times] : measure.by_hop().values()) hops[role] = to_json(times);
    into["hopUs"] = std::move(hops);
    json::object statuses;
    for (const auto& [status, count] : measure.by_status().values()) statuses[status] = count;
    into["byStatus"] = std::move(statuses);
    if (auto calls = to_json(measure.by_call()); !calls.empty()) into["calls"] = std::move(calls);
    if (auto found = to_json(measure.by_dimension()); !found.empty()) {
        into["dimensions"] = std::move(found);
    }
}

void share(const Measure& measure, json::object& into) {
    into["histograms"] = {
        {"latency", telemetry::to_text(measure.all().service)},
        {"latencyFromDue", telemetry::to_text(measure.all().from_due)}};
}

void write_metrics(telemetry::MetricsPage& metrics, const Measured& bee) {
    Page page{metrics, bee};
    append_calls(page);
    append_call_times(page);
    append_ways(page);
}

} // namespace hive::bees

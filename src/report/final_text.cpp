#include "report/final_text.hpp"

#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"
#include "report/columns.hpp"
#include "report/judged_text.hpp"
#include "report/largest_first.hpp"
#include "report/screen_parts.hpp"
#include "report/series.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hive::report {
namespace {

using telemetry::Latencies;
using telemetry::Summary;

class FinalText {
public:
    FinalText(const Run& run, const FinalTextOptions& options)
        : run_{run}, summary_{run.summary}, options_{options} {}

    std::string text() {
        head();
        find_max();
        counts();
        latencies();
        statuses();
        errors();
        calls("By call", summary_.calls);
        calls("By dimension", summary_.dimensions);
        queues();
        thresholds();
        slowest();
        files();
        return std::move(out_);
    }

private:
    Line line() const { return Line{std::max<std::size_t>(options_.width, 40), options_.colors}; }
    void put(const Line& line) {
        out_ += line.text();
        while (out_.ends_with(' ')) out_.pop_back();
        out_ += '\n';
    }
    void title(std::string_view text) {
        out_ += '\n';
        put(line().add(text, Ink::bold));
    }
    Line field(std::string_view name) const {
        Line out = line();
        out.add("  ").left(name, 12, Ink::dim);
        return out;
    }

    void head() {
        const bool good = run_.verdict == Verdict::passed;
        const bool going = run_.verdict == Verdict::running;
        Line first = line();
        if (!going) {
            const std::string sign = good                                   ? "✓ "
                                     : run_.verdict == Verdict::interrupted ? "! "
                                                                            : "✗ ";
            first.add(sign + word_of(run_.verdict), ink_of(run_.verdict)).add("  ");
        }
        first.add(summary_.scenario.empty() ? "a run" : printable(summary_.scenario), Ink::bold);
        put(first);
        if (!run_.reason.empty()) put(line().add("  " + printable(run_.reason, 400)));
        std::string when =
            format_timestamp(std::chrono::floor<std::chrono::seconds>(summary_.started_at));
        Line second = line();
        second.add("  swarm ", Ink::dim).add(printable(summary_.swarm_id));
        second.add("  started ", Ink::dim).add(when);
        put(second.add("  took ", Ink::dim).add(seconds_text(summary_.duration_sec)));
    }

    void counts() {
        title("Requests");
        const auto& load = summary_.load;
        const auto& requests = summary_.requests;
        put(field("done")
                .right(count_text(requests.total), 14)
                .add("  ")
                .add(rate_text(requests.rate_per_sec)));
        Line failed = field("failed");
        const Ink ink = requests.failed == 0 ? Ink::good : Ink::bad;
        failed.right(count_text(requests.failed), 14, ink).add("  ");
        put(failed.add(share_text(failed_share(summary_)), ink));
        put(field("planned")
                .right(count_text(load.planned), 14)
                .add("  ")
                .add(
                    load.planned == 0
                        ? ""
                        : share_text(
                              static_cast<double>(load.sent) / static_cast<double>(load.planned)) +
                              " sent"));
        if (load.dropped > 0) {
            put(field("dropped")
                    .right(count_text(load.dropped), 14, Ink::warning)
                    .add("  were due but never sent"));
        }
        if (load.max_schedule_lag_us > 0) {
            put(field("late")
                    .right(micros_text(load.max_schedule_lag_us), 14)
                    .add("  at most, from due to sent"));
        }
        put(field("data")
                .right(bytes_text(static_cast<double>(summary_.bytes.sent)), 14)
                .add(fmt::format(
                    "  sent, {} received",
                    bytes_text(static_cast<double>(summary_.bytes.received)))));
    }

    void latencies() {
        if (summary_.requests.total == 0) return;
        title("Latency");
        // What is made as fast as it goes is never due.
        const bool has_due = summary_.latency_from_due_us.max > 0;
        Line head = field("");
        head.right("service", 14, Ink::dim);
        if (has_due) head.right("from due", 14, Ink::dim);
        put(head);
        constexpr std::array<std::pair<std::string_view, double Latencies::*>, 7> rows{{
            {"mean", &Latencies::mean},
            {"p50", &Latencies::p50},
            {"p90", &Latencies::p90},
            {"p95", &Latencies::p95},
            {"p99", &Latencies::p99},
            {"p99.9", &Latencies::p999},
            {"max", &Latencies::max},
        }};
        for (const auto& [name, value] : rows) {
            const double service = summary_.latency_us.*value;
            const double due = summary_.latency_from_due_us.*value;
            Line row = field(name);
            row.right(micros_text(service), 14);
            if (has_due) row.right(micros_text(due), 14);
            // Waiting behind others is what a service time hides.
            if (service > 0 && due > 2 * service && due - service > 1'000)
                row.add(fmt::format("  {}× as long", number_text(due / service)), Ink::warning);
            put(row);
        }
    }

    void share_rows(const std::map<std::string, std::uint64_t>& counts, Ink ink) {
        for (const auto& [name, count] : largest_first(counts)) {
            if (count == 0) continue;
            Line row = field(printable(name));
            row.right(count_text(count), 14, ink).add("  ");
            const auto total = static_cast<double>(summary_.requests.total);
            if (total > 0) row.add(share_text(static_cast<double>(count) / total));
            put(row);
        }
    }
    void statuses() {
        if (summary_.requests.by_status.empty()) return;
        title("By status");
        share_rows(summary_.requests.by_status, Ink::plain);
    }
    void errors() {
        if (run_.errors.empty()) return;
        title("Errors");
        share_rows(run_.errors, Ink::bad);
    }

    void find_max() {
        if (!summary_.find_max) return;
        title("Highest rate");
        put(line().add("  " + found_text(*summary_.find_max)));
        Line head = line();
        head.add("  ").right("offered", 12, Ink::dim).right("achieved", 12, Ink::dim);
        put(head.right("p50", 10, Ink::dim)
                .right("p99", 10, Ink::dim)
                .right("errors", 9, Ink::dim));
        for (const auto& step : summary_.find_max->steps) {
            Line row = line();
            row.add("  ").right(rate_text(step.rate_per_sec), 12);
            row.right(rate_text(step.achieved_per_sec), 12);
            row.right(micros_text(step.p50_us), 10).right(micros_text(step.p99_us), 10);
            row.right(share_text(step.error_rate), 9);
            row.add(step.ok ? "  ✓" : "  ✗ ", step.ok ? Ink::good : Ink::bad);
            put(row.add(printable(step.broken, 60)));
        }
    }

    void calls(std::string_view by, const std::map<std::string, Summary::Call>& parts) {
        if (parts.empty()) return;
        title(by);
        const bool roomy = options_.width >= 76;
        Line head = field("");
        head.right("done", 12, Ink::dim).right("failed", 11, Ink::dim).right("p50", 10, Ink::dim);
        if (roomy) head.right("p95", 10, Ink::dim);
        put(head.right("p99", 10, Ink::dim));
        for (const auto& [name, call] : parts) {
            Line row = field(printable(name));
            row.right(count_text(call.total), 12);
            row.right(count_text(call.failed), 11, call.failed > 0 ? Ink::bad : Ink::plain);
            row.right(micros_text(call.latency_us.p50), 10);
            if (roomy) row.right(micros_text(call.latency_us.p95), 10);
            put(row.right(micros_text(call.latency_us.p99), 10));
        }
        const bool upper_bound =
            std::ranges::any_of(parts, [](const auto& part) { return part.second.upper_bound; });
        if (upper_bound) {
            put(line().add("  measured by several bees: percentiles are upper bounds", Ink::dim));
        }
    }

    void queues() {
        if (summary_.queues.empty()) return;
        title("Queues");
        for (const auto& [name, queue] : summary_.queues) {
            put(field(printable(name))
                    .right(count_text(queue.max_depth), 14)
                    .add(fmt::format("  at most, {} at the end", count_text(queue.end_depth))));
        }
    }

    void thresholds() {
        if (summary_.thresholds.empty()) return;
        title("Thresholds");
        std::size_t widest = 12;
        for (const auto& judged : summary_.thresholds)
            widest = std::max(widest, columns_of(printable(judged.expr)));
        widest = std::min(widest, line().room() - std::min<std::size_t>(line().room(), 20));
        for (const auto& judged : summary_.thresholds) {
            const Ink ink = judged.ok ? Ink::good : Ink::bad;
            Line row = line();
            row.add("  ").add(judged.ok ? "✓ " : "✗ ", ink).left(printable(judged.expr), widest);
            put(row.right(value_text(judged), 15, ink));
        }
    }

    void slowest() {
        if (run_.moments.size() < 2 || summary_.requests.total == 0) return;
        title("Worth a look");
        const Moment& slow = *std::ranges::max_element(
            run_.moments, {}, [](const Moment& m) { return m.latency_us.p99; });
        put(line().add(fmt::format(
            "  slowest at {}: p99 {} at {}{}", clock_text(slow.at_sec),
            micros_text(slow.latency_us.p99), rate_text(slow.done_per_sec), planned(slow))));
        const Moment& bad = *std::ranges::max_element(run_.moments, {}, &Moment::failed_per_sec);
        if (bad.failed_per_sec > 0) {
            put(line().add(fmt::format(
                "  most failures at {}: {} of {}", clock_text(bad.at_sec),
                rate_text(bad.failed_per_sec), rate_text(bad.done_per_sec))));
        }
        const Moment& peak = *std::ranges::max_element(run_.moments, {}, &Moment::done_per_sec);
        put(line().add(fmt::format(
            "  fastest at {}: {}{}", clock_text(peak.at_sec), rate_text(peak.done_per_sec),
            planned(peak))));
    }
    static std::string planned(const Moment& m) {
        return m.planned_per_sec > 0 ? fmt::format(" ({} planned)", rate_text(m.planned_per_sec))
                                     : "";
    }

    void files() {
        if (options_.files.empty()) return;
        title("Written");
        // A path is for copying: it is never cut.
        for (const auto& [kind, path] : options_.files)
            out_ += fmt::format("  {:<12}{}\n", printable(kind), printable(path, 4096));
    }

    const Run& run_;
    const Summary& summary_;
    const FinalTextOptions& options_;
    std::string out_{};
};

} // namespace

std::string final_text(const Run& run, const FinalTextOptions& options) {
    return FinalText{run, options}.text();
}

Run run_of(const Summary& summary) {
    Run run{.summary = summary, .moments = moments_of(summary.series), .verdict = Verdict::passed};
    const auto broken =
        std::ranges::count_if(summary.thresholds, [](const auto& t) { return !t.ok; });
    if (broken > 0) {
        run.verdict = Verdict::failed;
        run.reason =
            fmt::format("{} of {} thresholds were not met", broken, summary.thresholds.size());
    }
    return run;
}

} // namespace hive::report

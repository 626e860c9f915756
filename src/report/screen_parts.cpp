#include "report/screen_parts.hpp"

#include "kernel/text.hpp"
#include "report/largest_first.hpp"
#include "report/spark.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace hive::report {
namespace {

constexpr std::size_t label_columns = 9;
constexpr std::size_t depth_columns = 9;
constexpr std::size_t guard_columns = 28;
constexpr std::size_t minute = 60; // moments a sparkline shows

Line line(const ScreenSize& size) {
    return Line{size.width, size.colors};
}

Line labelled(const ScreenSize& size, std::string_view label) {
    Line out = line(size);
    out.add(" ").left(label, label_columns, Ink::dim);
    return out;
}

std::span<const Moment> last_minute(const Run& run) {
    const std::span<const Moment> all{run.moments};
    return all.last(std::min(all.size(), minute));
}

struct Trend {
    std::string_view label;
    std::string top; // what its highest point is
};

Line spark_line(const ScreenSize& size, const std::vector<double>& values, const Trend& trend) {
    Line out = labelled(size, trend.label);
    const std::size_t after = columns_of(trend.top) + 6;
    if (out.room() <= after) return out;
    const double most = values.empty() ? 0 : *std::ranges::max_element(values);
    out.add(sparkline(values, std::min(minute, out.room() - after), most), Ink::accent);
    return out.add("  max ", Ink::dim).add(trend.top);
}

struct Percentile {
    std::string_view name;
    double telemetry::Latencies::* value;
};

// As many as there is room for, the ones people ask for first.
std::vector<Percentile> percentiles(std::size_t room) {
    using telemetry::Latencies;
    if (room >= 65)
        return {{"p50", &Latencies::p50}, {"p90", &Latencies::p90},    {"p95", &Latencies::p95},
                {"p99", &Latencies::p99}, {"p99.9", &Latencies::p999}, {"max", &Latencies::max}};
    if (room >= 56)
        return {
            {"p50", &Latencies::p50},
            {"p90", &Latencies::p90},
            {"p99", &Latencies::p99},
            {"p99.9", &Latencies::p999},
            {"max", &Latencies::max}};
    if (room >= 38)
        return {{"p50", &Latencies::p50}, {"p99", &Latencies::p99}, {"max", &Latencies::max}};
    return {{"p50", &Latencies::p50}, {"p99", &Latencies::p99}};
}

Ink ink_of_state(std::string_view state) {
    if (state.empty() || state == "ok" || state == "STEADY") return Ink::good;
    if (state == "failed" || state == "lost" || state == "error") return Ink::bad;
    return Ink::warning;
}

std::uint64_t errors_now(const Run& run, const std::string& name) {
    if (run.moments.empty()) return 0;
    const auto found = run.moments.back().errors.find(name);
    return found == run.moments.back().errors.end() ? 0 : found->second;
}

const Marker* next_marker(const Run& run) {
    const auto found = std::ranges::find_if(
        run.markers, [&](const Marker& m) { return m.at_sec > run.summary.duration_sec; });
    return found == run.markers.end() ? nullptr : &*found;
}

Line progress_bar(const Run& run, const ScreenSize& size) {
    Line out = line(size);
    const double all = *run.planned_sec;
    const double gone = run.summary.duration_sec;
    const double share = all > 0 ? std::clamp(gone / all, 0.0, 1.0) : 1;
    const std::string after =
        fmt::format(" {:3.0f} %  {} left", share * 100, clock_text(std::max(0.0, all - gone)));
    const std::size_t columns = size.width - std::min(size.width, columns_of(after) + 2);
    const auto done = static_cast<std::size_t>(share * static_cast<double>(columns));
    std::string full;
    std::string rest;
    for (std::size_t i = 0; i < columns; ++i) (i < done ? full : rest) += i < done ? "━" : "─";
    return out.add(" ").add(full, Ink::good).add(rest, Ink::dim).add(after);
}

} // namespace

std::string word_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::running: return "running";
    case Verdict::passed: return "passed";
    case Verdict::failed: return "failed";
    case Verdict::aborted: return "aborted";
    case Verdict::interrupted: return "interrupted";
    case Verdict::broken: return "broken off";
    }
    return "";
}

Ink ink_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::running: return Ink::accent;
    case Verdict::passed: return Ink::good;
    case Verdict::interrupted: return Ink::warning;
    case Verdict::failed:
    case Verdict::aborted:
    case Verdict::broken: return Ink::bad;
    }
    return Ink::plain;
}

double failed_share(const telemetry::Summary& summary) {
    if (summary.requests.total == 0) return 0;
    return static_cast<double>(summary.requests.failed) /
           static_cast<double>(summary.requests.total);
}

ScreenPart progress_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 9};
    const double gone = run.summary.duration_sec;
    const std::string time =
        run.planned_sec ? fmt::format("{} of {}", clock_text(gone), clock_text(*run.planned_sec))
                        : clock_text(gone);
    const std::string word = word_of(run.verdict);
    const std::size_t right = columns_of(word) + columns_of(time) + 4;
    Line head = line(size);
    const std::size_t room = size.width - std::min(size.width, right);
    head.add(" ").left(printable(run.summary.scenario), room > 1 ? room - 1 : 0, Ink::bold);
    part.rows.push_back(head.add(" ").add(word, ink_of(run.verdict)).add("  " + time + " "));
    if (run.planned_sec) part.rows.push_back(progress_bar(run, size));
    if (const Marker* next = next_marker(run)) {
        part.rows.push_back(labelled(size, "next")
                                .add(printable(next->text))
                                .add(" in " + clock_text(next->at_sec - gone), Ink::dim));
    }
    return part;
}

ScreenPart rate_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 8};
    const Moment now = run.moments.empty() ? Moment{} : run.moments.back();
    const bool behind = now.done_per_sec < now.planned_per_sec * 0.95;
    Line rate = labelled(size, "rate");
    rate.add(rate_text(now.done_per_sec), behind ? Ink::warning : Ink::bold);
    if (now.planned_per_sec > 0)
        rate.add(" of ", Ink::dim).add(rate_text(now.planned_per_sec)).add(" planned", Ink::dim);
    part.rows.push_back(std::move(rate));
    return part;
}

ScreenPart rate_trend_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 4, .joined = true};
    std::vector<double> rates;
    for (const Moment& m : last_minute(run)) rates.push_back(m.done_per_sec);
    Line counts = labelled(size, "");
    counts.add("done ", Ink::dim).add(count_text(run.summary.requests.total));
    if (run.summary.load.dropped > 0)
        counts.add("   dropped ", Ink::dim).add(count_text(run.summary.load.dropped), Ink::warning);
    const std::string late = micros_text(run.summary.load.max_schedule_lag_us);
    if (run.summary.load.max_schedule_lag_us > 0 && counts.room() >= columns_of(late) + 17)
        counts.add("   late by up to ", Ink::dim).add(late);
    part.rows.push_back(std::move(counts));
    if (rates.size() > 1) {
        const std::string top = rate_text(*std::ranges::max_element(rates));
        part.rows.push_back(spark_line(size, rates, {"", top}));
    }
    return part;
}

ScreenPart latency_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 7, .rows_least = 2};
    if (run.moments.empty() && run.summary.requests.total == 0) return part;
    constexpr std::size_t column = 9;
    constexpr std::size_t name_columns = 11;
    const auto shown = percentiles(size.width - 1);
    Line head = labelled(size, "latency");
    head.to(1 + name_columns);
    for (const Percentile& p : shown) head.right(p.name, column, Ink::dim);
    part.rows.push_back(std::move(head));
    const auto row = [&](std::string_view name, const telemetry::Latencies& values, Ink ink) {
        Line out = line(size);
        out.add("   ").left(name, name_columns - 2, Ink::dim);
        for (const Percentile& p : shown) out.right(micros_text(values.*p.value), column, ink);
        part.rows.push_back(std::move(out));
    };
    if (!run.moments.empty()) row("now", run.moments.back().latency_us, Ink::bold);
    row("whole run", run.summary.latency_us, Ink::plain);
    if (run.summary.latency_from_due_us.max > 0) {
        row("from due", run.summary.latency_from_due_us, Ink::plain);
    }
    return part;
}

ScreenPart latency_trend_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 3, .joined = true};
    std::vector<double> tails;
    for (const Moment& m : last_minute(run)) tails.push_back(m.latency_us.p99);
    if (tails.size() < 2) return part;
    const std::string top = micros_text(*std::ranges::max_element(tails));
    part.rows.push_back(spark_line(size, tails, {"  p99", top}));
    return part;
}

ScreenPart error_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 6};
    const auto failed = run.summary.requests.failed;
    Line out = labelled(size, "errors");
    if (failed == 0 && run.errors.empty()) {
        out.add("none", Ink::good);
    } else {
        out.add(share_text(failed_share(run.summary)), Ink::bad);
        out.add(fmt::format("  {} failed", count_text(failed)));
    }
    part.rows.push_back(std::move(out));
    for (const auto& [name, count] : largest_first(run.errors)) {
        Line row = labelled(size, "");
        row.left(printable(name, 24), 14).right(count_text(count), 10);
        const std::uint64_t now = errors_now(run, name);
        if (now > 0) row.add(fmt::format("   {} now", count_text(now)), Ink::bad);
        part.rows.push_back(std::move(row));
    }
    return part;
}

ScreenPart queue_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 5};
    if (run.moments.empty()) return part;
    const Moment& now = run.moments.back();
    double most = 1;
    std::size_t names = 4;
    for (const auto& [name, depth] : now.depths) {
        const auto bracket = run.brackets.find(name);
        const double reach = bracket == run.brackets.end() ? 0 : bracket->second.max;
        most = std::max({most, static_cast<double>(depth), reach});
        names = std::clamp(columns_of(printable(name)), names, std::size_t{14});
    }
    // What is left of the line after the name, the depth and a word about the guard.
    const std::size_t taken = label_columns + names + depth_columns + guard_columns;
    const std::size_t bars =
        std::clamp<std::size_t>(size.width - std::min(size.width, taken), 6, 24);
    for (const auto& [name, depth] : now.depths) {
        Line out = labelled(size, part.rows.empty() ? "queues" : "");
        out.left(printable(name), names).add(" ");
        out.add(bar(static_cast<double>(depth) / most, bars), Ink::accent);
        out.right(count_text(depth), depth_columns);
        if (const auto guard = now.guards.find(name); guard != now.guards.end()) {
            const GuardMoment& g = guard->second;
            out.add("  ").add(printable(g.state), ink_of_state(g.state));
            out.add(" → " + number_text(g.target), Ink::dim);
            if (out.room() > 14) out.add(" at " + rate_text(g.rate), Ink::dim);
        }
        part.rows.push_back(std::move(out));
    }
    return part;
}

ScreenPart bee_part(const Run& run, const ScreenSize& size) {
    ScreenPart part{.need = 2};
    if (run.moments.empty()) return part;
    for (const BeeMoment& bee : run.moments.back().bees) {
        Line out = labelled(size, part.rows.empty() ? "bees" : "");
        const std::size_t names = std::clamp<std::size_t>(size.width / 2, 16, 40) - 6;
        out.left(printable(bee.instance.empty() ? bee.role : bee.instance), names);
        out.right(rate_text(bee.per_sec), 11);
        const std::string state = bee.state.empty() ? "ok" : printable(bee.state);
        out.add("  ").add(state, ink_of_state(bee.state));
        part.rows.push_back(std::move(out));
    }
    return part;
}

} // namespace hive::report

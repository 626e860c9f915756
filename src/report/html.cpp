#include "report/html.hpp"

#include "kernel/append_format.hpp"
#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"
#include "report/chart.hpp"
#include "report/distribution.hpp"
#include "report/html_style.hpp"
#include "report/html_tables.hpp"
#include "report/largest_first.hpp"
#include "report/markup.hpp"
#include "report/screen_parts.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

namespace hive::report {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t lines_max = 8; // of one chart: as many colours as can be told apart

template <class Read>
std::vector<double> values_of(const Run& run, const Read& read) {
    std::vector<double> out;
    out.reserve(run.moments.size());
    for (const Moment& moment : run.moments) out.push_back(read(moment));
    return out;
}

bool has_any(const std::vector<double>& values) {
    return std::ranges::any_of(values, [](double value) { return value > 0; });
}

Chart chart_of(const Run& run, std::string title, Unit unit) {
    return {
        .title = std::move(title),
        .unit = unit,
        .times = values_of(run, [](const Moment& m) { return m.at_sec; }),
        .markers = run.markers};
}

std::string rate_chart(const Run& run) {
    Chart chart = chart_of(run, "Requests per second", Unit::rate);
    chart.marker_texts = true;
    auto planned = values_of(run, [](const Moment& m) { return m.planned_per_sec; });
    if (has_any(planned)) chart.lines.push_back({"planned", "plan", std::move(planned)});
    chart.lines.push_back(
        {"done", "done", values_of(run, [](const Moment& m) { return m.done_per_sec; })});
    return chart.figure();
}

std::string latency_chart(const Run& run) {
    Chart chart = chart_of(run, "Latency", Unit::micros);
    chart.may_be_log = true;
    // Where nothing was done there is no latency, not one of zero.
    const auto add = [&](const char* name, const char* look, double telemetry::Latencies::* value) {
        auto line = values_of(
            run, [&](const Moment& m) { return m.done_per_sec > 0 ? m.latency_us.*value : gap; });
        if (has_any(line)) chart.lines.push_back({name, look, std::move(line)});
    };
    add("p50", "p50", &telemetry::Latencies::p50);
    add("p90", "p90", &telemetry::Latencies::p90);
    add("p99", "p99", &telemetry::Latencies::p99);
    auto due = values_of(
        run, [](const Moment& m) { return m.done_per_sec > 0 ? m.latency_from_due_us.p99 : gap; });
    if (has_any(due)) chart.lines.push_back({"p99 from due", "due", std::move(due)});
    return chart.lines.empty() ? std::string{} : chart.figure();
}

std::string error_chart(const Run& run) {
    Chart chart = chart_of(run, "Failures per second", Unit::rate);
    auto failed = values_of(run, [](const Moment& m) { return m.failed_per_sec; });
    if (!has_any(failed)) return {};
    std::map<std::string, std::uint64_t> seen;
    for (const Moment& m : run.moments) {
        for (const auto& [name, count] : m.errors) seen[name] += count;
    }
    if (seen.size() != 1) chart.lines.push_back({"all", "p99", std::move(failed)});
    for (const auto& [name, count] : largest_first(seen)) {
        if (chart.lines.size() == lines_max) break;
        auto line = values_of(run, [&](const Moment& m) {
            const auto found = m.errors.find(name);
            const double window = m.window_sec > 0 ? m.window_sec : 1;
            return found == m.errors.end() ? 0 : static_cast<double>(found->second) / window;
        });
        chart.lines.push_back({name, fmt::format("c{}", chart.lines.size()), std::move(line)});
    }
    return chart.figure();
}

std::vector<double> depths_of(const Run& run, const std::string& queue) {
    return values_of(run, [&](const Moment& m) {
        const auto found = m.depths.find(queue);
        return found == m.depths.end() ? gap : static_cast<double>(found->second);
    });
}

// A guarded queue has a chart of its own, with its bracket; the others share one.
std::string queue_charts(const Run& run) {
    std::map<std::string, std::uint64_t> deepest;
    for (const Moment& m : run.moments) {
        for (const auto& [name, depth] : m.depths) deepest[name] = std::max(deepest[name], depth);
    }
    std::string out;
    Chart others = chart_of(run, "Queue depths", Unit::count);
    std::size_t guarded = 0;
    for (const auto& [name, depth] : largest_first(deepest)) {
        const auto bracket = run.brackets.find(name);
        if (bracket != run.brackets.end() && guarded < lines_max) {
            Chart chart = chart_of(run, "Depth of " + name, Unit::count);
            chart.lines.push_back({name, "c0", depths_of(run, name)});
            chart.band = bracket->second;
            out += chart.figure();
            ++guarded;
        } else if (others.lines.size() < lines_max) {
            others.lines.push_back(
                {name, fmt::format("c{}", others.lines.size()), depths_of(run, name)});
        }
    }
    const std::size_t left_out = deepest.size() - others.lines.size() - guarded;
    if (left_out > 0) others.note = fmt::format("{} shallower queues are not drawn.", left_out);
    if (!others.lines.empty()) out += others.figure();
    return out;
}

std::string charts_section(const Run& run) {
    if (run.moments.size() < 2) return {};
    std::string out = "<section><h2>Over time</h2><div class=\"charts\">";
    out += rate_chart(run) + latency_chart(run) + error_chart(run) + queue_charts(run) + "</div>";
    if (run.markers.empty()) return out + "</section>\n";
    out += "<h2>Plan</h2><ol class=\"plan-steps\">";
    for (const Marker& marker : run.markers) {
        append_format(
            out, "<li>{} <span class=\"quiet\">{}</span></li>", escaped(marker.text),
            clock_text(marker.at_sec));
    }
    return out + "</ol></section>\n";
}

std::string distribution_section(const Run& run) {
    const std::string bars = distribution_figure(run.distribution, run.summary.latency_us);
    if (bars.empty()) return {};
    return "<section><h2>Distribution</h2><div class=\"charts\">" + bars +
           percentile_figure(run.distribution) + "</div></section>\n";
}

std::string tile(std::string_view value, std::string_view name, bool bad = false) {
    return fmt::format(
        "<li{}><b>{}</b><span>{}</span></li>", bad ? " class=\"bad\"" : "", value, name);
}

std::string tiles(const Run& run) {
    const telemetry::Summary& s = run.summary;
    std::string out = "<ul class=\"tiles\">";
    out += tile(count_text(s.requests.total), "requests");
    out += tile(rate_text(s.requests.rate_per_sec), "mean rate");
    out += tile(
        share_text(failed_share(s)), count_text(s.requests.failed) + " failed",
        s.requests.failed > 0);
    if (s.requests.total > 0) {
        out += tile(micros_text(s.latency_us.p50), "p50 latency");
        out += tile(micros_text(s.latency_us.p99), "p99 latency");
        // At most speed nothing is due at any time.
        if (s.latency_from_due_us.max > 0)
            out += tile(micros_text(s.latency_from_due_us.p99), "p99 from due time");
    }
    if (s.load.dropped > 0)
        out += tile(count_text(s.load.dropped), "due but never sent", true);
    else if (s.load.planned > 0)
        out += tile(count_text(s.load.planned), "planned, all sent");
    return out + tile(bytes_text(static_cast<double>(s.bytes.received)), "received") + "</ul>";
}

std::string_view badge_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::passed: return "good";
    case Verdict::running: return "";
    case Verdict::interrupted: return "warn";
    case Verdict::failed:
    case Verdict::aborted:
    case Verdict::broken: return "bad";
    }
    return "";
}

std::string header(const Run& run) {
    const telemetry::Summary& s = run.summary;
    std::string out = fmt::format(
        "<header><div class=\"head\"><span class=\"badge {}\">{}</span><h1>{}</h1></div>",
        badge_of(run.verdict), word_of(run.verdict),
        s.scenario.empty() ? "A run" : escaped(s.scenario));
    if (!run.reason.empty()) out += "<p class=\"reason\">" + escaped(run.reason) + "</p>";
    const std::string when =
        format_timestamp(std::chrono::floor<std::chrono::seconds>(s.started_at));
    out += fmt::format(
        "<p class=\"sub\">swarm {} · started <time datetime=\"{}\">{}</time> · took {}</p>",
        escaped(s.swarm_id), when, when, seconds_text(s.duration_sec));
    return out + tiles(run) + "</header>\n";
}

// The one script of the page by its digest: anything that got in would not run.
std::string policy() {
    const Digest digest = sha256(bytes_of(html_script()));
    return fmt::format(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'", to_base64(digest));
}

} // namespace

std::string html(const Run& run) {
    std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n";
    append_format(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
    out += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n";
    append_format(
        out, "<title>{}: {}</title>\n<style>{}</style></head>\n<body><main>\n",
        run.summary.scenario.empty() ? "Run" : escaped(run.summary.scenario), word_of(run.verdict),
        html_style());
    out += header(run) + find_max_section(run) + thresholds_section(run) + charts_section(run);
    out += latency_section(run) + distribution_section(run) + outcome_section(run);
    out += calls_section(run) + queues_section(run) + bees_section(run) + environment_section(run);
    out += "<footer>Written by PocketHive. This file needs nothing but itself.</footer>\n";
    append_format(out, "</main><script>{}</script></body></html>\n", html_script());
    return out;
}

} // namespace hive::report

#include "report/html_tables.hpp"

#include "kernel/append_format.hpp"
#include "report/judged_text.hpp"
#include "report/largest_first.hpp"
#include "report/markup.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace hive::report {
namespace {

using telemetry::Latencies;

constexpr std::size_t rows_max = 200; // a report is read by people

// Rows of cells that are escaped already.
class Table {
public:
    // The first `texts` columns are words, the others numbers.
    explicit Table(const std::vector<std::string_view>& heads, std::size_t texts = 1)
        : texts_{texts} {
        out_ = "<div class=\"scroll\"><table><thead><tr>";
        for (std::size_t i = 0; i < heads.size(); ++i)
            append_format(out_, "<th scope=\"col\"{}>{}</th>", look(i), heads[i]);
        out_ += "</tr></thead><tbody>";
    }

    void add(const std::vector<std::string>& cells) {
        if (++rows_ > rows_max) return;
        out_ += "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i)
            append_format(out_, "<td{}>{}</td>", look(i), cells[i]);
        out_ += "</tr>\n";
    }

    std::string text() const {
        std::string out = out_ + "</tbody></table></div>";
        if (rows_ > rows_max) {
            out += fmt::format(
                "<p class=\"note\">and {} more, which the summary holds</p>", rows_ - rows_max);
        }
        return out;
    }

private:
    std::string_view look(std::size_t column) const {
        return column < texts_ ? " class=\"text\"" : "";
    }

    std::size_t texts_;
    std::string out_{};
    std::size_t rows_ = 0;
};

std::string section(std::string_view title, const std::string& body) {
    return fmt::format("<section class=\"keep\"><h2>{}</h2>{}</section>\n", title, body);
}

std::string share_of(std::uint64_t count, std::uint64_t total) {
    if (total == 0) return "-";
    return share_text(static_cast<double>(count) / static_cast<double>(total));
}

std::string counts_table(
    std::string_view name, const std::map<std::string, std::uint64_t>& counts,
    std::uint64_t total) {
    Table table{{name, "count", "share"}};
    for (const auto& [key, count] : largest_first(counts))
        table.add({escaped(key), count_text(count), share_of(count, total)});
    return table.text();
}

} // namespace

std::string thresholds_section(const Run& run) {
    if (run.summary.thresholds.empty()) return {};
    Table table{{"threshold", "measured", "result"}};
    for (const auto& judged : run.summary.thresholds) {
        table.add(
            {fmt::format("<code>{}</code>", escaped(judged.expr)), value_text(judged),
             judged.ok ? "<span class=\"ok\">✓ met</span>"
                       : "<span class=\"no\">✗ not met</span>"});
    }
    return section("Thresholds", table.text());
}

std::string latency_section(const Run& run) {
    if (run.summary.requests.total == 0) return {};
    constexpr std::array<std::pair<std::string_view, double Latencies::*>, 7> columns{{
        {"mean", &Latencies::mean},
        {"p50", &Latencies::p50},
        {"p90", &Latencies::p90},
        {"p95", &Latencies::p95},
        {"p99", &Latencies::p99},
        {"p99.9", &Latencies::p999},
        {"max", &Latencies::max},
    }};
    std::vector<std::string_view> heads{"latency"};
    std::vector<std::string> service{"service time"};
    std::vector<std::string> due{"from due time"};
    for (const auto& [name, value] : columns) {
        heads.push_back(name);
        service.push_back(micros_text(run.summary.latency_us.*value));
        due.push_back(micros_text(run.summary.latency_from_due_us.*value));
    }
    Table table{heads};
    table.add(service);
    // At most speed nothing is due at any time.
    if (run.summary.latency_from_due_us.max == 0) return section("Latency", table.text());
    table.add(due);
    return section(
        "Latency", table.text() +
                       "<p class=\"note\">Service time counts from when a request was sent; from "
                       "due time counts from when the plan wanted it sent, so waiting behind slow "
                       "answers is in it.</p>");
}

std::string outcome_section(const Run& run) {
    const auto total = run.summary.requests.total;
    std::string out;
    if (!run.summary.requests.by_status.empty()) {
        out += section(
            "Answers by status", counts_table("status", run.summary.requests.by_status, total));
    }
    if (!run.errors.empty())
        out += section("Errors by class", counts_table("class", run.errors, total));
    return out.empty() ? out : "<div class=\"pair\">" + out + "</div>";
}

namespace {

std::string
parts_section(const std::map<std::string, telemetry::Summary::Call>& parts, bool of_calls) {
    if (parts.empty()) return {};
    bool upper_bound = false;
    Table table{
        {of_calls ? "call" : "dimension", "done", "failed", "p50", "p90", "p95", "p99", "max",
         "p99 from due"}};
    for (const auto& [name, call] : parts) {
        const Latencies& l = call.latency_us;
        upper_bound = upper_bound || call.upper_bound;
        table.add(
            {escaped(name), count_text(call.total), count_text(call.failed), micros_text(l.p50),
             micros_text(l.p90), micros_text(l.p95), micros_text(l.p99), micros_text(l.max),
             call.latency_from_due_us.max > 0 ? micros_text(call.latency_from_due_us.p99) : "-"});
    }
    const std::string_view note =
        upper_bound
            ? "<p class=\"note\">Several post-processors have measured these: a percentile is "
              "the largest of theirs, an upper bound of the true one.</p>"
            : "";
    return section(of_calls ? "By call" : "By dimension", fmt::format("{}{}", table.text(), note));
}

} // namespace

std::string calls_section(const Run& run) {
    return parts_section(run.summary.calls, true) + parts_section(run.summary.dimensions, false);
}

std::string find_max_section(const Run& run) {
    if (!run.summary.find_max) return {};
    const auto& found = *run.summary.find_max;
    Table table{{"offered", "achieved", "p50", "p99", "errors", "result"}, 0};
    for (const auto& step : found.steps) {
        table.add(
            {rate_text(step.rate_per_sec), rate_text(step.achieved_per_sec),
             micros_text(step.p50_us), micros_text(step.p99_us), share_text(step.error_rate),
             step.ok ? "<span class=\"ok\">✓ held</span>"
                     : fmt::format(
                           "<span class=\"no\">✗ <code>{}</code></span>", escaped(step.broken))});
    }
    return section(
        "Highest rate", fmt::format(
                            "<p>{}</p>{}<p class=\"note\">Everything else on this page is the "
                            "run at that rate.</p>",
                            found_text(found), table.text()));
}

std::string queues_section(const Run& run) {
    if (run.summary.queues.empty()) return {};
    Table table{{"queue", "deepest", "at the end", "guard bracket"}};
    for (const auto& [name, queue] : run.summary.queues) {
        const auto found = run.brackets.find(name);
        table.add(
            {escaped(name), count_text(queue.max_depth), count_text(queue.end_depth),
             found == run.brackets.end()
                 ? "-"
                 : fmt::format(
                       "{} … {} … {}", number_text(found->second.min),
                       number_text(found->second.target), number_text(found->second.max))});
    }
    return section("Queues", table.text());
}

std::string bees_section(const Run& run) {
    if (run.summary.bees.empty()) return {};
    Table table{{"bee", "role", "processed", "failed", "per second"}, 2};
    for (const auto& bee : run.summary.bees) {
        const double seconds = run.summary.duration_sec;
        const double rate = seconds > 0 ? static_cast<double>(bee.processed) / seconds : 0;
        table.add(
            {escaped(bee.instance), escaped(bee.role), count_text(bee.processed),
             count_text(bee.failed), number_text(rate)});
    }
    std::string flow;
    for (const Edge& edge : run.graph) {
        flow += fmt::format(
            "{}{} → <em>{}</em> → {}", flow.empty() ? "" : ", ", escaped(edge.from),
            escaped(edge.queue), escaped(edge.to));
    }
    if (!flow.empty()) flow = "<p class=\"note\">" + flow + "</p>";
    return section("Bees", table.text() + flow);
}

std::string environment_section(const Run& run) {
    std::string rows;
    const auto row = [&](std::string_view name, const std::string& value) {
        append_format(rows, "<tr><td>{}</td><td class=\"text\">{}</td></tr>\n", name, value);
    };
    for (const auto& [name, value] : run.environment) row(escaped(name), escaped(value));
    const auto& process = run.summary.process;
    if (process.cpu_sec > 0) row("processor time", seconds_text(process.cpu_sec));
    if (process.peak_rss_bytes > 0)
        row("peak memory", bytes_text(static_cast<double>(process.peak_rss_bytes)));
    if (rows.empty()) return {};
    return section(
        "Environment", "<div class=\"scroll\"><table><tbody>" + rows + "</tbody></table></div>");
}

} // namespace hive::report

#include "kernel/text.hpp"
#include "report/columns.hpp"
#include "report/compare.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hive::report {
namespace {

constexpr std::size_t line_width = 100;

std::string text_of(const Compared& c, double value) {
    switch (c.kind) {
    case Compared::Kind::rate: return rate_text(value);
    case Compared::Kind::share: return share_text(value);
    case Compared::Kind::micros: return micros_text(value);
    }
    return {};
}

// A share of a share would only confuse: errors are told in points.
std::string change_text(const Compared& c, double difference) {
    const std::string sign = difference > 0 ? "+" : difference < 0 ? "-" : "";
    const double size = std::abs(difference);
    if (c.kind == Compared::Kind::share) return sign + number_text(size * 100) + " pp";
    if (c.base <= 0) return size == 0 ? "0 %" : "-";
    return fmt::format("{}{:.1f} %", sign, size / c.base * 100);
}

Ink ink_of(Change change) {
    switch (change) {
    case Change::same: return Ink::dim;
    case Change::better: return Ink::good;
    case Change::worse: return Ink::bad;
    case Change::unclear: return Ink::warning;
    }
    return Ink::plain;
}

std::string interval_text(const Compared& c) {
    if (!c.difference) return "-";
    return change_text(c, c.difference->low) + " … " + change_text(c, c.difference->high);
}

void add_row(std::string& out, const Compared& c, bool colors) {
    Line row{line_width, colors};
    row.left("  " + c.metric, 16).right(text_of(c, c.base), 11).right(text_of(c, c.fresh), 11);
    row.right(change_text(c, c.fresh - c.base), 11).right(interval_text(c), 24);
    const Ink ink = c.counts ? ink_of(c.change) : Ink::dim;
    row.add("  ").left(name_of(c.change), 9, ink);
    row.add(c.counts ? std::string{name_of(c.method)} : "shown only", Ink::dim);
    out += row.text() + '\n';
}

} // namespace

std::string to_text(const Comparison& comparison, bool colors) {
    Line head{line_width, colors};
    head.add(name_of(comparison.verdict), ink_of(comparison.verdict));
    head.add(fmt::format(
        "  {} against {}, a change matters from {}",
        comparison.fresh_runs == 1 ? "1 run" : fmt::format("{} runs", comparison.fresh_runs),
        comparison.base_runs, share_text(comparison.tolerance)));
    std::string out = head.text() + "\n\n";
    Line names{line_width, colors};
    names.left("  metric", 16, Ink::dim).right("base", 11, Ink::dim).right("new", 11, Ink::dim);
    names.right("change", 11, Ink::dim).right("95 % sure of", 24, Ink::dim).add("  ");
    out += names.add("verdict", Ink::dim).text() + '\n';
    for (const Compared& c : comparison.metrics) add_row(out, c, colors);
    if (!comparison.notes.empty()) out += '\n';
    for (const std::string& note : comparison.notes) {
        std::string_view lead = "note: ";
        for (const std::string& line : wrap(note, line_width - lead.size())) {
            out += fmt::format("{}{}\n", lead, line);
            lead = "      ";
        }
    }
    return out;
}

json::object to_json(const Comparison& comparison) {
    json::array metrics;
    for (const Compared& c : comparison.metrics) {
        json::object metric{
            {"metric", c.metric},
            {"base", c.base},
            {"new", c.fresh},
            {"change", name_of(c.change)},
            {"method", c.method == Method::runs      ? "runs"
                       : c.method == Method::windows ? "windows"
                                                     : "tolerance"},
            {"counts", c.counts}};
        if (c.difference) {
            metric["difference"] =
                json::object{{"low", c.difference->low}, {"high", c.difference->high}};
        }
        metrics.push_back(std::move(metric));
    }
    return {
        {"schema", "hive.comparison/1"},
        {"verdict", name_of(comparison.verdict)},
        {"tolerance", comparison.tolerance},
        {"baseRuns", comparison.base_runs},
        {"newRuns", comparison.fresh_runs},
        {"metrics", std::move(metrics)},
        {"notes", json::array(comparison.notes.begin(), comparison.notes.end())}};
}

} // namespace hive::report

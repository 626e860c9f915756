#include "report/distribution.hpp"

#include "kernel/append_format.hpp"
#include "report/axis.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hive::report {
namespace {

constexpr double plot_left = 72;
constexpr double plot_right = 708;
constexpr double plot_top = 24;
constexpr double plot_bottom = 204;
constexpr std::size_t bars_max = 400; // a figure with more would only be longer

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    append_format(out, format, std::forward<Args>(args)...);
}

std::string head(std::string_view title, std::string_view words) {
    return fmt::format(
        "<figure class=\"chart\"><figcaption><strong>{}</strong></figcaption>"
        "<svg viewBox=\"0 0 720 232\" role=\"img\" aria-label=\"{}\">",
        title, words);
}

void side(std::string& out, const Axis& axis, Unit unit) {
    for (const double tick : axis.ticks()) {
        const double y = plot_bottom - (plot_bottom - plot_top) * axis.share(tick);
        put(out, "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
            plot_left, plot_right, y, y);
        put(out, "<text class=\"ytick\" x=\"{}\" y=\"{:.1f}\">{}</text>", plot_left - 7, y + 4,
            tick_text(unit, tick));
    }
}

void bottom(std::string& out, double x, const std::string& text, std::string_view look) {
    put(out, "<text class=\"xtick{}\" x=\"{:.1f}\" y=\"{}\">{}</text>", look, x, plot_bottom + 19,
        text);
}

// Neighbours are added up until there are few enough.
std::vector<Bar> fewer(std::vector<Bar> bars) {
    while (bars.size() > bars_max) {
        std::vector<Bar> half;
        for (std::size_t i = 0; i < bars.size(); i += 2) {
            const bool pair = i + 1 < bars.size();
            half.push_back(
                {bars[pair ? i + 1 : i].up_to_us, bars[i].count + (pair ? bars[i + 1].count : 0)});
        }
        bars = std::move(half);
    }
    return bars;
}

std::uint64_t total_of(const std::vector<Bar>& bars) {
    std::uint64_t total = 0;
    for (const Bar& bar : bars) total += bar.count;
    return total;
}

// Where the first bar begins is not said: as far below its end as the next one reaches.
double first_edge(const std::vector<Bar>& bars) {
    if (bars.size() < 2 || bars[0].up_to_us <= 0) return std::max(bars[0].up_to_us * 0.9, 0.01);
    return bars[0].up_to_us * bars[0].up_to_us /
           std::max(bars[1].up_to_us, bars[0].up_to_us * 1.01);
}

void mark(std::string& out, std::string_view name, double x) {
    put(out, "<g class=\"marker\"><line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", x, x,
        plot_top - 6, plot_bottom);
    put(out, "<text x=\"{:.1f}\" y=\"{}\">{}</text></g>", x + 3, plot_top - 8, name);
}

} // namespace

std::vector<Bar> bars_of(const telemetry::Histogram& histogram, unsigned per_octave) {
    std::map<long, std::uint64_t> counts;
    histogram.each_bucket([&](std::size_t index, std::uint64_t count) {
        const auto ns = static_cast<double>(
            std::max<std::uint64_t>(telemetry::Histogram::highest_of(index), 1));
        counts[std::lround(std::ceil(std::log2(ns) * per_octave))] += count;
    });
    std::vector<Bar> bars;
    if (counts.empty()) return bars;
    for (long i = counts.begin()->first; i <= counts.rbegin()->first; ++i) {
        const auto found = counts.find(i);
        const double up_to = std::exp2(static_cast<double>(i) / per_octave) / 1'000;
        bars.push_back({up_to, found == counts.end() ? 0 : found->second});
    }
    return bars;
}

std::string distribution_figure(const std::vector<Bar>& given, const telemetry::Latencies& marks) {
    const std::vector<Bar> bars = fewer(given);
    const std::uint64_t total = total_of(bars);
    if (total == 0) return {};
    const Axis across = Axis::log(first_edge(bars), bars.back().up_to_us);
    const auto x = [&](double us) {
        return plot_left + (plot_right - plot_left) * across.share(us);
    };
    std::uint64_t most = 0;
    for (const Bar& bar : bars) most = std::max(most, bar.count);
    const Axis up = Axis::linear(static_cast<double>(most));
    std::string out = head(
        "How long requests took",
        fmt::format(
            "Distribution of {} requests: half within {}, 99 % within {}", count_text(total),
            micros_text(marks.p50), micros_text(marks.p99)));
    side(out, up, Unit::count);
    double from = first_edge(bars);
    for (const Bar& bar : bars) {
        const double height = (plot_bottom - plot_top) * up.share(static_cast<double>(bar.count));
        if (bar.count > 0) {
            // Even a single request can be seen.
            const double seen = std::max(height, 1.0);
            put(out,
                "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">",
                x(from), plot_bottom - seen, std::max(x(bar.up_to_us) - x(from) - 0.6, 0.6), seen);
            put(out, "<title>{} to {}: {} ({})</title></rect>", micros_text(from),
                micros_text(bar.up_to_us), count_text(bar.count),
                share_text(static_cast<double>(bar.count) / static_cast<double>(total)));
        }
        from = bar.up_to_us;
    }
    std::size_t nth = 0;
    for (const double tick : across.ticks())
        bottom(out, x(tick), tick_text(Unit::micros, tick), nth++ % 2 == 1 ? " odd" : "");
    mark(out, "p50", x(marks.p50));
    if (x(marks.p99) - x(marks.p50) > 60) mark(out, "p99", x(marks.p99));
    return out + "</svg></figure>\n";
}

std::string percentile_figure(const std::vector<Bar>& given) {
    const std::vector<Bar> bars = fewer(given);
    const auto total = static_cast<double>(total_of(bars));
    if (total < 10) return {};
    // Nines behind the point: 0 is nothing, 1 is 90 %, 3 is 99.9 %; as many as the count bears.
    const double nines = std::clamp(std::floor(std::log10(total)), 1.0, 6.0);
    const auto x = [&](double n) { return plot_left + (plot_right - plot_left) * n / nines; };
    const Axis up = Axis::log(first_edge(bars), bars.back().up_to_us);
    std::string out = head(
        "Latency by percentile",
        fmt::format(
            "Latency by percentile, from {} to {}", micros_text(first_edge(bars)),
            micros_text(bars.back().up_to_us)));
    side(out, up, Unit::micros);
    constexpr std::array<std::string_view, 7> names{"0 %",     "90 %",     "99 %",     "99.9 %",
                                                    "99.99 %", "99.999 %", "99.9999 %"};
    for (int i = 0; i <= static_cast<int>(nines); ++i)
        bottom(
            out, x(i), std::string{names[static_cast<std::size_t>(i)]},
            i == static_cast<int>(nines)                          ? " last"
            : nines > 3 && (static_cast<int>(nines) - i) % 2 == 1 ? " odd"
                                                                  : "");
    out += "<path class=\"line done\" d=\"";
    double seen = 0;
    bool first = true;
    for (const Bar& bar : bars) {
        seen += static_cast<double>(bar.count);
        if (bar.count == 0) continue;
        const double above = std::max(1 - seen / total, 1e-9);
        const double n = std::min(-std::log10(above), nines);
        const double y = plot_bottom - (plot_bottom - plot_top) * up.share(bar.up_to_us);
        put(out, "{}{:.1f} {:.1f}", first ? "M" : "L", x(n), y);
        first = false;
        if (n == nines) break; // what is rarer stands on too few
    }
    return out + "\"/></svg></figure>\n";
}

} // namespace hive::report

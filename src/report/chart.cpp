#include "report/chart.hpp"

#include "kernel/append_format.hpp"
#include "report/columns.hpp"
#include "report/markup.hpp"
#include "report/thin.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::report {
namespace {

constexpr double width = 720;
constexpr double height = 232;
constexpr double plot_left = 72;
constexpr double plot_right = 708;
constexpr double plot_top = 24;
constexpr double plot_bottom = 204;

std::string_view name_of(Unit unit) {
    switch (unit) {
    case Unit::rate: return "rate";
    case Unit::micros: return "micros";
    case Unit::count: return "count";
    }
    return "";
}

class Drawing {
public:
    explicit Drawing(const Chart& chart) : chart_{chart}, axis_{axis_of(chart)} {
        end_ = chart.times.empty() ? 1 : std::max(chart.times.back(), 0.001);
        std::vector<std::vector<double>> values;
        for (const ChartLine& line : chart.lines) values.push_back(without_gaps(line.values));
        kept_ = thinned(values, chart_points_max);
    }

    std::string figure() {
        put("<figure class=\"chart\"><figcaption><strong>{}</strong>", escaped(chart_.title));
        if (axis_.is_log()) out_ += " <span class=\"quiet\">logarithmic</span>";
        legend();
        out_ += "</figcaption>";
        put("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" data-unit=\"{}\" data-t=\"",
            width, height, escaped(in_words()), name_of(chart_.unit));
        for (std::size_t i = 0; i < kept_.size(); ++i)
            put("{}{:.6g}", i == 0 ? "" : ",", chart_.times[kept_[i]]);
        put("\" data-end=\"{:.6g}\">", end_);
        grid();
        band();
        markers();
        for (const ChartLine& line : chart_.lines) draw(line);
        out_ += "<line class=\"cursor\" y1=\"24\" y2=\"204\" visibility=\"hidden\"/></svg>";
        if (!chart_.note.empty()) put("<p class=\"note\">{}</p>", escaped(chart_.note));
        out_ += "</figure>\n";
        return std::move(out_);
    }

private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        append_format(out_, format, std::forward<Args>(args)...);
    }

    static std::vector<double> without_gaps(std::vector<double> values) {
        for (double& value : values) value = std::isfinite(value) ? value : 0;
        return values;
    }

    static Axis axis_of(const Chart& chart) {
        double least = 1e300;
        double most = chart.band ? chart.band->max : 0;
        for (const ChartLine& line : chart.lines) {
            for (const double value : line.values) {
                if (!std::isfinite(value)) continue;
                most = std::max(most, value);
                if (value > 0) least = std::min(least, value);
            }
        }
        const bool log = chart.may_be_log && most > 0 && most / least > 30;
        return log ? Axis::log(least, most) : Axis::linear(most);
    }

    double x(double sec) const {
        return plot_left + (plot_right - plot_left) * std::clamp(sec / end_, 0.0, 1.0);
    }
    double y(double value) const {
        return plot_bottom - (plot_bottom - plot_top) * axis_.share(value);
    }

    void legend() {
        out_ += "<span class=\"legend\">";
        for (const ChartLine& line : chart_.lines)
            put("<span><i class=\"{}\"></i>{}</span>", line.look, escaped(line.name));
        if (chart_.band) out_ += "<span><i class=\"band\"></i>guard bracket</span>";
        out_ += "</span>";
    }

    // For those who cannot see it: what each line reaches.
    std::string in_words() const {
        std::string out = chart_.title + " over " + seconds_text(end_) + ": ";
        for (const ChartLine& line : chart_.lines) {
            double least = 1e300;
            double most = 0;
            for (const double value : line.values) {
                if (!std::isfinite(value)) continue;
                least = std::min(least, value);
                most = std::max(most, value);
            }
            out += fmt::format(
                "{} from {} to {}; ", line.name, unit_text(chart_.unit, std::min(least, most)),
                unit_text(chart_.unit, most));
        }
        return out.substr(0, out.size() - 2);
    }

    void grid() {
        for (const double tick : axis_.ticks()) {
            put("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", plot_left,
                plot_right, y(tick), y(tick));
            put("<text class=\"ytick\" x=\"{}\" y=\"{:.1f}\">{}</text>", plot_left - 7, y(tick) + 4,
                tick_text(chart_.unit, tick));
        }
        const std::vector<double> ticks = time_ticks(end_);
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            // Every second one goes where the chart is small.
            put("<text class=\"xtick{}\" x=\"{:.1f}\" y=\"{}\">{}</text>", i % 2 == 1 ? " odd" : "",
                x(ticks[i]), plot_bottom + 19,
                end_ < 8 ? number_text(ticks[i]) + " s" : clock_text(ticks[i]));
        }
    }

    void band() {
        if (!chart_.band) return;
        const Bracket& b = *chart_.band;
        put("<rect class=\"band\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"/>",
            plot_left, y(b.max), plot_right - plot_left, std::max(0.0, y(b.min) - y(b.max)));
        put("<line class=\"target\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", plot_left,
            plot_right, y(b.target), y(b.target));
    }

    void markers() {
        double free_from = 0;
        for (std::size_t i = 0; i < chart_.markers.size(); ++i) {
            const Marker& marker = chart_.markers[i];
            if (marker.at_sec > end_) break;
            const double at = x(marker.at_sec);
            put("<g class=\"marker\"><title>{} {}</title>", clock_text(marker.at_sec),
                escaped(marker.text));
            put("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", at, at, plot_top - 6,
                plot_bottom);
            if (at >= free_from) {
                put("<text x=\"{:.1f}\" y=\"{}\">{}", at + 4, plot_top - 8, i + 1);
                free_from = at + 22;
                if (chart_.marker_texts) free_from = std::max(free_from, marker_text(i, at));
                out_ += "</text>";
            }
            out_ += "</g>";
        }
    }
    // Beside its number unless the next one stands there; answers where it ends.
    double marker_text(std::size_t i, double at) {
        constexpr double letter = 8; // in the larger of the sizes it has
        const std::string& text = chart_.markers[i].text;
        const double end = at + 20 + letter * static_cast<double>(columns_of(text));
        const bool last = i + 1 == chart_.markers.size();
        if (end > (last ? plot_right + 8 : x(chart_.markers[i + 1].at_sec))) return 0;
        put("<tspan class=\"words\" dx=\"5\">{}</tspan>", escaped(text));
        return end;
    }

    void draw(const ChartLine& line) {
        put("<path class=\"line {}\" data-name=\"{}\" data-v=\"", line.look, escaped(line.name));
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const double value = line.values[kept_[i]];
            if (i > 0) out_ += ',';
            if (std::isfinite(value)) put("{:.4g}", value);
        }
        out_ += "\" d=\"";
        bool pen_up = true;
        for (const std::size_t i : kept_) {
            const double value = line.values[i];
            if (std::isfinite(value))
                put("{}{:.1f} {:.1f}", pen_up ? "M" : "L", x(chart_.times[i]), y(value));
            pen_up = !std::isfinite(value);
        }
        out_ += "\"/>";
    }

    const Chart& chart_;
    Axis axis_;
    double end_ = 1;
    std::vector<std::size_t> kept_{};
    std::string out_{};
};

} // namespace

std::string Chart::figure() const {
    return Drawing{*this}.figure();
}

} // namespace hive::report

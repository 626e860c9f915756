#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace hive::bench {

struct Dot {
    double x = 0;
    double y = 0;
};

// One diagram of a plot, as wide as all others. Anything above its top is drawn at the top.
class Diagram {
public:
    struct Size {
        double top = 0;
        double height = 100;
        double most = 1;   // what the top stands for
        double length = 1; // what the right end stands for, in seconds
    };
    Diagram(const Size& size, std::string_view title) : size_{size} {
        out_ = fmt::format(
            "<text x=\"60\" y=\"{:.0f}\" font-weight=\"bold\">{}</text>\n", size.top - 6, title);
        for (int i = 0; i <= 4; ++i) {
            const double value = size.most * i / 4;
            out_ += fmt::format(
                "<line x1=\"60\" x2=\"880\" y1=\"{0:.1f}\" y2=\"{0:.1f}\" stroke=\"#ddd\"/>"
                "<text x=\"54\" y=\"{1:.1f}\" text-anchor=\"end\">{2:.0f}</text>\n",
                y(value), y(value) + 4, value);
        }
    }

    Diagram& band(double low, double high) {
        out_ += fmt::format(
            "<rect x=\"60\" width=\"820\" y=\"{:.1f}\" height=\"{:.1f}\" fill=\"#2a2\" "
            "fill-opacity=\"0.12\"/>\n",
            y(high), y(low) - y(high));
        return *this;
    }
    Diagram& line(std::string_view color, const std::vector<Dot>& dots) {
        out_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" points=\"", color);
        for (const Dot& dot : dots) out_ += fmt::format("{:.1f},{:.1f} ", x(dot.x), y(dot.y));
        out_ += "\"/>\n";
        return *this;
    }
    const std::string& text() const noexcept { return out_; }

private:
    double x(double second) const { return 60 + (820 * second / size_.length); }
    double y(double value) const {
        return size_.top + size_.height - (size_.height * std::clamp(value / size_.most, 0.0, 1.0));
    }

    Size size_;
    std::string out_;
};

// All diagrams on one sheet over a common axis of seconds.
struct Sheet {
    double height = 760;
    double length = 120; // seconds
    double mark = 20;    // seconds from one mark of the axis to the next
};
inline bool
write_plot(const std::string& path, const Sheet& sheet, const std::vector<Diagram>& all) {
    std::ofstream file{path};
    file << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"920\" height=\"{0:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"920\" height=\"{0:.0f}\" fill=\"white\"/>\n",
        sheet.height);
    for (const Diagram& each : all) file << each.text();
    for (int i = 0; i * sheet.mark <= sheet.length; ++i) {
        file << fmt::format(
            "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{:.0f} s</text>\n",
            60 + (820 * i * sheet.mark / sheet.length), sheet.height - 20, i * sheet.mark);
    }
    file << "</svg>\n";
    file.flush();
    return file.good();
}

} // namespace hive::bench

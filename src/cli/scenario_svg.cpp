#include "cli/scenario_svg.hpp"

#include "controller/order.hpp"
#include "controller/template.hpp"
#include "kernel/append_format.hpp"
#include "kernel/text.hpp"
#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace hive::cli {
namespace {

constexpr double box_height = 52;
constexpr double row_gap = 34;
constexpr double margin = 24;
constexpr double head = 40;    // the title
constexpr double letter = 7.4; // as wide as one is at most, on average
constexpr std::size_t name_max = 40;

constexpr std::string_view style = R"(
text{font:13px system-ui,sans-serif;fill:#1d2733}
.title{font-size:16px;font-weight:600}.role,.queue{fill:#5b6776;font-size:12px}
.bee{fill:#fff6d8;stroke:#c79a1b;stroke-width:1.5}.flow{fill:none;stroke:#7b8794;stroke-width:1.5}
.back{fill:#fff}.tip{fill:#7b8794}
@media(prefers-color-scheme:dark){.back{fill:#12171d}text{fill:#e6ebf1}
.role,.queue{fill:#9aa7b5}.bee{fill:#3a3112;stroke:#d9ab2b}}
)";

struct Box { // a bee with all its replicas
    std::string id{};
    std::string role{};
    std::size_t replicas = 0;
    std::size_t rank = 0;
    std::vector<std::string> in{};
    std::vector<std::string> out{};
    double x = 0;
    double y = 0;
    double width = 0;

    std::string name() const {
        return replicas > 1 ? fmt::format("{} ×{}", printable(id, name_max), replicas)
                            : printable(id, name_max);
    }
};

double width_of_text(std::string_view text) {
    return static_cast<double>(width_of(text)) * letter;
}

std::vector<std::string> queues_of(const std::vector<controller::Port>& ports) {
    std::vector<std::string> out;
    for (const controller::Port& port : ports) {
        const std::string& name = port.queue.text();
        if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
    return out;
}

std::vector<Box> boxes_of(const controller::Template& layout) {
    const auto order = controller::start_order(layout);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < layout.bees.size(); ++i) {
        const controller::BeeSpec& bee = layout.bees[i];
        auto known = std::ranges::find(boxes, bee.bee, &Box::id);
        if (known == boxes.end()) {
            boxes.push_back(
                {.id = bee.bee,
                 .role = bee.role.text(),
                 .rank = order.rank_of[i],
                 .in = queues_of(bee.in),
                 .out = queues_of(bee.out)});
            known = std::prev(boxes.end());
        }
        ++known->replicas;
    }
    return boxes;
}

class Picture {
public:
    Picture(std::vector<Box> boxes, const std::string& title)
        : boxes_{std::move(boxes)}, title_{title} {
        place();
    }

    std::string text() {
        std::string drawn;
        for (const Box& from : boxes_) {
            for (const std::string& queue : from.out) draw_queue(from, queue, drawn);
        }
        for (const Box& box : boxes_) draw_box(box, drawn);
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
            "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">\n"
            "<style>{3}</style>\n<rect class=\"back\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n"
            "<text class=\"title\" x=\"{4}\" y=\"{5}\">{2}</text>\n{6}</svg>\n",
            width_, height_, report::escaped(title_), style, margin, margin + 6, drawn);
    }

private:
    // Columns by rank, as wide as their bees; between them the room that names of queues need.
    void place() {
        std::size_t ranks = 0;
        for (const Box& box : boxes_) ranks = std::max(ranks, box.rank + 1);
        std::vector<std::vector<Box*>> columns(ranks);
        for (Box& box : boxes_) columns[box.rank].push_back(&box);
        std::size_t tallest = 1;
        for (const auto& column : columns) tallest = std::max(tallest, column.size());
        const double rows = static_cast<double>(tallest) * (box_height + row_gap) - row_gap;
        height_ = head + margin * 2 + rows;
        double x = margin;
        for (const auto& column : columns) {
            double widest = 0;
            double label = 60;
            for (const Box* box : column) {
                widest = std::max({widest, width_of_text(box->name()), width_of_text(box->role)});
                for (const auto& queue : box->out) label = std::max(label, width_of_text(queue));
            }
            widest += 28;
            const double used =
                static_cast<double>(column.size()) * (box_height + row_gap) - row_gap;
            double y = head + margin + (rows - used) / 2;
            for (Box* box : column) {
                box->x = x;
                box->y = y;
                box->width = widest;
                y += box_height + row_gap;
            }
            end_ = x + widest;
            x += widest + label + 44;
        }
        width_ = std::max(end_ + margin, width_of_text(title_) * 1.3 + 2 * margin);
        for (const Box& box : boxes_) {
            for (const auto& queue : box.out) {
                if (!is_read(queue)) {
                    width_ = std::max(
                        width_, box.x + box.width + 44 + width_of_text(queue) + 2 * margin);
                }
            }
        }
    }
    bool is_read(const std::string& queue) const {
        return std::ranges::any_of(boxes_, [&](const Box& box) {
            return std::ranges::find(box.in, queue) != box.in.end();
        });
    }

    void draw_box(const Box& box, std::string& to) const {
        const double middle = box.x + box.width / 2;
        const bool says_role = box.role != box.id;
        append_format(
            to,
            "<rect class=\"bee\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" "
            "rx=\"9\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
            box.x, box.y, box.width, box_height, middle, box.y + (says_role ? 22 : 31),
            report::escaped(box.name()));
        if (!says_role) return;
        append_format(
            to, "<text class=\"role\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
            middle, box.y + 40, report::escaped(box.role));
    }
    void draw_queue(const Box& from, const std::string& queue, std::string& to) const {
        const double x = from.x + from.width;
        const double y = from.y + box_height / 2;
        bool drawn = false;
        bool rises = false;
        for (const Box& box : boxes_) {
            if (std::ranges::find(box.in, queue) == box.in.end()) continue;
            rises = box.y < from.y && box.x > from.x;
            draw_flow({x, y}, {box.x, box.y + box_height / 2}, to);
            drawn = true;
        }
        if (!drawn) draw_flow({x, y}, {x + width_of_text(queue) + 44, y}, to);
        append_format(
            to, "<text class=\"queue\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 14,
            y + (rises ? 17 : -7) - label_shift(from, queue),
            report::escaped(printable(queue, name_max)));
    }
    // Names of several queues of one bee stand above each other.
    static double label_shift(const Box& from, const std::string& queue) {
        const auto at = std::ranges::find(from.out, queue) - from.out.begin();
        return static_cast<double>(at) * 15;
    }
    struct Point {
        double x;
        double y;
    };
    // What goes back to an earlier bee takes the way below.
    static void draw_flow(Point from, Point to, std::string& out) {
        const double tip = to.x - 8;
        const bool back = tip < from.x;
        const double bend = back ? 60 : (tip - from.x) / 2;
        const double dip = back ? box_height : 0;
        append_format(
            out,
            "<path class=\"flow\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>"
            "<path class=\"tip\" d=\"M{:.1f} {:.1f}l-9 -4.5v9z\"/>\n",
            from.x, from.y, from.x + bend, from.y + dip, tip - bend, to.y + dip, tip, to.y, to.x,
            to.y);
    }

    std::vector<Box> boxes_;
    const std::string& title_;
    double width_ = 0;
    double height_ = 0;
    double end_ = 0;
};

} // namespace

Result<std::string> scenario_svg(const json::object& bees, const std::string& title) {
    const auto swarm = SwarmId::parse("drawn");
    if (!swarm) return fail(swarm.error());
    const auto layout = controller::read_template(*swarm, bees);
    if (!layout) return fail(layout.error());
    return Picture{boxes_of(*layout), title}.text();
}

} // namespace hive::cli

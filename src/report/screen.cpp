#include "report/screen.hpp"

#include "kernel/text.hpp"
#include "report/screen_parts.hpp"
#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::report {
namespace {

using Parts = std::vector<ScreenPart>;

std::size_t rows_in(const Parts& parts) {
    std::size_t rows = 0;
    for (const ScreenPart& part : parts) rows += part.rows.size();
    return rows;
}

// Gives up rows of the part that is needed least until the rest fits. A part that lost rows says
// how many, where there is room for a row to say it.
void shrink(Parts& parts, std::size_t height) {
    while (rows_in(parts) > height) {
        ScreenPart* least = nullptr;
        for (ScreenPart& part : parts) {
            if (part.rows.empty()) continue;
            if (!least || part.need < least->need) least = &part;
        }
        if (least->rows.size() > least->rows_least)
            least->rows.pop_back();
        else if (least->need < 9)
            least->rows.clear();
        else
            least->rows.pop_back();
    }
}

// Space between the parts only when nothing had to go for it.
std::vector<Line> stacked(const Parts& parts, std::size_t height, const ScreenSize& size) {
    const auto spaces = std::ranges::count_if(
        parts, [](const ScreenPart& p) { return !p.rows.empty() && !p.joined; });
    const bool spaced = rows_in(parts) + static_cast<std::size_t>(spaces) <= height + 1;
    std::vector<Line> out;
    for (const ScreenPart& part : parts) {
        if (part.rows.empty()) continue;
        if (spaced && !part.joined && !out.empty()) out.emplace_back(size.width, size.colors);
        out.insert(out.end(), part.rows.begin(), part.rows.end());
    }
    return out;
}

std::vector<std::string> texts_of(const std::vector<Line>& lines) {
    std::vector<std::string> out;
    for (const Line& line : lines) out.push_back(line.text());
    return out;
}

Parts fitted(Parts parts, std::size_t height, const ScreenSize& size) {
    std::vector<std::size_t> had;
    for (const ScreenPart& part : parts) had.push_back(part.rows.size());
    shrink(parts, height);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        ScreenPart& part = parts[i];
        if (part.need > 6 || part.rows.size() < 2 || part.rows.size() == had[i]) continue;
        Line more{size.width, size.colors};
        more.to(10).add(fmt::format("… {} more", had[i] - part.rows.size() + 1), Ink::dim);
        part.rows.back() = std::move(more);
    }
    return parts;
}

// Two stacks beside each other; a narrow screen would only cut both.
std::vector<std::string> wide(const Run& run, const ScreenSize& size) {
    const std::size_t left_width = std::min<std::size_t>(size.width * 11 / 20, 100);
    const ScreenSize left{left_width, size.height, size.colors};
    const ScreenSize right{
        std::min<std::size_t>(size.width - left_width - 2, 100), size.height, size.colors};
    const Parts head = fitted({progress_part(run, size)}, size.height, size);
    std::vector<std::string> out = texts_of(stacked(head, size.height, size));
    if (out.size() + 1 >= size.height) return out;
    out.emplace_back();
    const std::size_t height = size.height - out.size();
    const Parts first{
        rate_part(run, left), rate_trend_part(run, left), latency_part(run, left),
        latency_trend_part(run, left), error_part(run, left)};
    std::vector<Line> rows = stacked(fitted(first, height, left), height, left);
    const Parts second = fitted({queue_part(run, right), bee_part(run, right)}, height, right);
    const std::vector<Line> beside = stacked(second, height, right);
    rows.resize(std::max(rows.size(), beside.size()), Line{left.width, left.colors});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool alone = i >= beside.size() || beside[i].columns() == 0;
        out.push_back(
            alone ? rows[i].text() : rows[i].to(left.width).text() + "  " + beside[i].text());
    }
    return out;
}

} // namespace

std::vector<std::string> screen(const Run& run, const ScreenSize& size) {
    if (size.height == 0) return {};
    constexpr std::size_t wide_from = 110;
    if (size.width >= wide_from) return wide(run, size);
    const Parts all{progress_part(run, size),      rate_part(run, size),
                    rate_trend_part(run, size),    latency_part(run, size),
                    latency_trend_part(run, size), error_part(run, size),
                    queue_part(run, size),         bee_part(run, size)};
    return texts_of(stacked(fitted(all, size.height, size), size.height, size));
}

std::string plain_line(const Run& run) {
    const Moment now = run.moments.empty() ? Moment{} : run.moments.back();
    std::string out = clock_text(run.summary.duration_sec);
    if (run.planned_sec) out += " of " + clock_text(*run.planned_sec);
    out += fmt::format("  {}", rate_text(now.done_per_sec));
    if (now.planned_per_sec > 0) out += fmt::format(" of {}", rate_text(now.planned_per_sec));
    out += fmt::format(
        "  p50 {}  p99 {}", micros_text(now.latency_us.p50), micros_text(now.latency_us.p99));
    out += fmt::format(
        "  done {}  failed {} ({})", count_text(run.summary.requests.total),
        count_text(run.summary.requests.failed), share_text(failed_share(run.summary)));
    for (const auto& [name, guard] : now.guards) {
        out += fmt::format(
            "  {} {} of {} {}", printable(name), number_text(guard.depth),
            number_text(guard.target), printable(guard.state));
    }
    return out;
}

} // namespace hive::report

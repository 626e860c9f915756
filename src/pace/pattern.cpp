#include "pace/pattern.hpp"

#include "kernel/duration.hpp"
#include "kernel/overloaded.hpp"
#include "pace/pattern_check.hpp"
#include "pace/pieces.hpp"
#include "pace/segment_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::pace {
namespace {

// Where the segments begin and end.
std::vector<double> borders_of(const Pattern& pattern, double cycle) {
    std::vector<double> borders{0};
    for (const Segment& segment : pattern.segments) {
        const double length =
            segment.lasts ? seconds(*segment.lasts) : cycle * *segment.share / 100;
        borders.push_back(borders.back() + length);
    }
    borders.back() = cycle;
    return borders;
}

double cycle_of(const Pattern& pattern) {
    if (pattern.cycle > Duration::zero()) return seconds(pattern.cycle);
    double total = 0;
    for (const Segment& segment : pattern.segments) total += seconds(*segment.lasts);
    return total;
}

Result<std::vector<Piece>> pieces_of(const Pattern& pattern, const std::vector<double>& borders) {
    std::vector<Piece> all;
    // The first segment of a repeated pattern comes from the last one.
    double level = 0;
    for (const int round : {0, 1}) {
        all.clear();
        for (std::size_t i = 0; i < pattern.segments.size(); ++i) {
            const SegmentCurve curve{pattern.segments[i], borders[i + 1] - borders[i], level};
            auto moments = curve.moments();
            if (!moments || all.size() + moments->size() > pieces_max) {
                return fail(
                    Errc::invalid,
                    fmt::format(
                        "segments[{}] has too many changes of rate; use longer periods, or a "
                        "shorter cycle (at most {} changes)",
                        i, pieces_max));
            }
            const auto pieces = fit_between(*moments, [&](double at) { return curve.level(at); });
            all.insert(all.end(), pieces.begin(), pieces.end());
            level = std::max(0.0, all.back().rate_at(1));
        }
        if (pattern.cycles == 1 && round == 0) break;
    }
    return all;
}

// Splits the piece around [from, to) and lifts what is inside.
std::vector<Piece> lifted(const std::vector<Piece>& pieces, double from, double to, double by) {
    std::vector<Piece> out;
    double start = 0;
    for (const Piece& piece : pieces) {
        const double end = start + piece.length;
        std::vector<double> moments{start};
        for (const double cut : {from, to}) {
            if (cut > start + 1e-9 && cut < end - 1e-9) moments.push_back(cut);
        }
        moments.push_back(end);
        const auto parts = fit_between(moments, [&](double at) {
            const double level = piece.rate_at((at - start) / piece.length);
            return at >= from && at < to ? level * by : level;
        });
        out.insert(out.end(), parts.begin(), parts.end());
        start = end;
    }
    return out;
}

} // namespace

Result<Shape> shape_of(const Pattern& pattern) {
    if (auto checked = check(pattern); !checked) return fail(checked.error());
    const double cycle = cycle_of(pattern);
    auto pieces = pieces_of(pattern, borders_of(pattern, cycle));
    if (!pieces) return fail(pieces.error());
    double factor = pattern.base_rate;
    if (pattern.normalisation.enabled) {
        const Shape plain{Shape::Cycle{.pieces = *pieces}};
        const double mean = plain.cycle_items() / cycle;
        if (mean <= 0) {
            return fail(
                Errc::invalid, "normalisation: the whole cycle is at level 0; give a segment a "
                               "level above 0, or do not normalise");
        }
        if (std::abs(mean - 1) * 100 > pattern.normalisation.tolerance_pct) factor /= mean;
    }
    for (const Spike& spike : pattern.spikes) {
        const double from = seconds(spike.at);
        *pieces = lifted(*pieces, from, from + seconds(spike.width), 1 + spike.lift_pct / 100);
    }
    return Shape{Shape::Cycle{.pieces = std::move(*pieces), .cycles = pattern.cycles}}.scaled(
        factor);
}

std::optional<std::size_t> segment_at(const Pattern& pattern, Duration since_start) {
    const double cycle = cycle_of(pattern);
    const double at = seconds(std::max(since_start, Duration::zero()));
    const double turn = std::floor(at / cycle);
    if (pattern.cycles != 0 && turn >= static_cast<double>(pattern.cycles)) return std::nullopt;
    const auto borders = borders_of(pattern, cycle);
    const auto later = std::upper_bound(borders.begin() + 1, borders.end() - 1, at - turn * cycle);
    return static_cast<std::size_t>(later - borders.begin()) - 1;
}

} // namespace hive::pace

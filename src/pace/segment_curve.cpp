#include "pace/segment_curve.hpp"

#include "kernel/overloaded.hpp"
#include "kernel/random.hpp"
#include "pace/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hive::pace {
namespace {

constexpr double moments_per_wave = 32;

double noise_at(const Noise& noise, double at) {
    const auto turn = static_cast<std::uint64_t>(at / seconds(noise.every));
    const double unit = Random{noise.seed ^ (turn * 0x9e3779b97f4a7c15U)}.unit();
    return 1 + noise.pct / 100 * (2 * unit - 1);
}

double mutated(const Mutator& mutator, double level, double at) {
    return std::visit(
        overloaded{
            [&](const Cap& cap) { return std::min(level, cap.max); },
            [&](const Burst& burst) {
                const bool inside = std::fmod(at, seconds(burst.every)) < seconds(burst.width);
                return inside ? level * (1 + burst.lift_pct / 100) : level;
            },
            [&](const Noise& noise) { return level * noise_at(noise, at); },
        },
        mutator);
}

} // namespace

double SegmentCurve::mode_level(double at) const {
    return std::visit(
        overloaded{
            [&](const FlatMode& flat) { return flat.level; },
            [&](const RampMode& ramp) { return ramp.from + (ramp.to - ramp.from) * at / length_; },
            [&](const SinusMode& sinus) {
                const double angle =
                    2 * std::numbers::pi * (at + seconds(sinus.phase)) / seconds(sinus.period);
                return sinus.min + (sinus.max - sinus.min) / 2 * (1 + std::sin(angle));
            },
            [&](const DutyMode& duty) {
                const double place = std::fmod(at, seconds(duty.on) + seconds(duty.off));
                return place < seconds(duty.on) ? duty.high : duty.low;
            },
        },
        segment_.mode);
}

// The level after the first `mutators` of them.
double SegmentCurve::before_caps(double at, std::size_t mutators) const {
    double level = mode_level(at);
    const double over = std::min(seconds(segment_.transition_over), length_);
    if (segment_.transition != Transition::none && at < over) {
        const double way = at / over;
        const double weight =
            segment_.transition == Transition::linear ? way : way * way * (3 - 2 * way);
        level = level_before_ + (level - level_before_) * weight;
    }
    for (std::size_t i = 0; i < mutators; ++i) level = mutated(segment_.mutators[i], level, at);
    return level;
}

double SegmentCurve::level(double at) const {
    return before_caps(at, segment_.mutators.size());
}

bool SegmentCurve::add_regular(std::vector<double>& out, double every, double offset) const {
    if (length_ / every > static_cast<double>(pieces_max)) return false;
    // Multiplied, not added up: the fmod of the level must change sides at the same moments.
    for (double turn = 0; turn * every + offset < length_; ++turn) {
        out.push_back(turn * every + offset);
    }
    return out.size() <= pieces_max;
}

// Where a cap begins and ends to hold.
void SegmentCurve::add_crossings(std::vector<double>& moments) const {
    std::vector<double> found;
    for (std::size_t m = 0; m < segment_.mutators.size(); ++m) {
        const auto* cap = std::get_if<Cap>(&segment_.mutators[m]);
        if (!cap) continue;
        const auto above = [&](double at) { return before_caps(at, m) > cap->max; };
        for (std::size_t i = 1; i < moments.size(); ++i) {
            const double inset = (moments[i] - moments[i - 1]) * 1e-9;
            double low = moments[i - 1] + inset;
            double high = moments[i] - inset;
            const bool low_above = above(low);
            if (low_above == above(high)) continue;
            for (int turn = 0; turn < 60; ++turn) {
                const double middle = (low + high) / 2;
                (above(middle) == low_above ? low : high) = middle;
            }
            found.push_back(low);
        }
    }
    moments.insert(moments.end(), found.begin(), found.end());
}

std::optional<std::vector<double>> SegmentCurve::moments() const {
    std::vector<double> out{0, length_};
    bool fits = true;
    if (const auto* sinus = std::get_if<SinusMode>(&segment_.mode)) {
        fits = add_regular(out, seconds(sinus->period) / moments_per_wave, 0);
    } else if (const auto* duty = std::get_if<DutyMode>(&segment_.mode)) {
        const double period = seconds(duty->on) + seconds(duty->off);
        fits = add_regular(out, period, 0) && add_regular(out, period, seconds(duty->on));
    }
    if (segment_.transition != Transition::none) {
        out.push_back(std::min(seconds(segment_.transition_over), length_));
    }
    for (const Mutator& mutator : segment_.mutators) {
        if (const auto* burst = std::get_if<Burst>(&mutator)) {
            fits = fits && add_regular(out, seconds(burst->every), 0) &&
                   add_regular(out, seconds(burst->every), seconds(burst->width));
        } else if (const auto* noise = std::get_if<Noise>(&mutator)) {
            fits = fits && add_regular(out, seconds(noise->every), 0);
        }
    }
    if (!fits) return std::nullopt;
    std::ranges::sort(out);
    add_crossings(out);
    std::ranges::sort(out);
    // Moments that differ only by rounding are one.
    const auto same = [this](double a, double b) { return b - a < length_ * 1e-12; };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    out.back() = length_;
    if (out.size() > pieces_max) return std::nullopt;
    return out;
}

} // namespace hive::pace

#include "pace/pattern_check.hpp"

#include "kernel/duration.hpp"
#include "kernel/overloaded.hpp"
#include "pace/pieces.hpp"
#include "pace/shapes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hive::pace {
namespace {

constexpr double level_max = 1'000;       // times the base rate
constexpr double percent_max = 100'000;   // of a lift
constexpr std::size_t spikes_max = 1'000; // each walks over all pieces once

// Collects the first thing that is wrong, so that the rules below read as a list.
class Rules {
public:
    explicit Rules(std::string where) : where_{std::move(where)} {}

    Rules& within(double value, const char* name, double min, double max) {
        if (!(value >= min && value <= max)) {
            note(
                fmt::format("{}{} is {}; it must be from {} to {}", where_, name, value, min, max));
        }
        return *this;
    }
    Rules& longer_than_zero(Duration value, const char* name) {
        if (auto checked = check_length(value, where_ + name); !checked)
            note(checked.error().detail);
        return *this;
    }
    Rules& demand(bool holds, const char* text) {
        if (!holds) note(where_ + text);
        return *this;
    }
    Status result() const {
        if (text_.empty()) return {};
        return fail(Errc::invalid, text_);
    }

private:
    void note(std::string text) {
        if (text_.empty()) text_ = std::move(text);
    }
    std::string where_;
    std::string text_{};
};

void check_mode(const Mode& mode, Rules& rules) {
    std::visit(
        overloaded{
            [&](const FlatMode& flat) { rules.within(flat.level, "level", 0, level_max); },
            [&](const RampMode& ramp) {
                rules.within(ramp.from, "from", 0, level_max).within(ramp.to, "to", 0, level_max);
            },
            [&](const SinusMode& sinus) {
                rules.within(sinus.min, "min", 0, level_max)
                    .within(sinus.max, "max", sinus.min, level_max)
                    .longer_than_zero(sinus.period, "period")
                    .demand(sinus.phase >= Duration::zero(), "phase must not be negative");
            },
            [&](const DutyMode& duty) {
                rules.within(duty.high, "high", 0, level_max)
                    .within(duty.low, "low", 0, level_max)
                    .longer_than_zero(duty.on, "on")
                    .longer_than_zero(duty.off, "off");
            },
        },
        mode);
}

void check_mutator(const Mutator& mutator, Rules& rules) {
    std::visit(
        overloaded{
            [&](const Cap& cap) { rules.within(cap.max, "cap.max", 0, level_max); },
            [&](const Burst& burst) {
                rules.longer_than_zero(burst.every, "burst.every")
                    .longer_than_zero(burst.width, "burst.width")
                    .demand(burst.width <= burst.every, "burst.width is longer than burst.every")
                    .within(burst.lift_pct, "burst.liftPct", -100, percent_max);
            },
            [&](const Noise& noise) {
                rules.longer_than_zero(noise.every, "noise.every")
                    .within(noise.pct, "noise.pct", 0, 100);
            },
        },
        mutator);
}

Status check_segment(const Segment& segment, std::size_t index, bool has_cycle) {
    Rules rules{fmt::format("segments[{}].", index)};
    rules.demand(
        segment.lasts.has_value() != segment.share.has_value(),
        "lasts and share: give exactly one of them");
    if (segment.lasts) rules.longer_than_zero(*segment.lasts, "lasts");
    if (segment.share) {
        rules.within(*segment.share, "share", 1e-6, 100)
            .demand(has_cycle, "share needs the pattern to say how long its cycle is");
    }
    check_mode(segment.mode, rules);
    for (const Mutator& mutator : segment.mutators) check_mutator(mutator, rules);
    if (segment.transition != Transition::none)
        rules.longer_than_zero(segment.transition_over, "transitionOver");
    return rules.result();
}

// The segments must fill the cycle: what is left over would be silence nobody asked for.
Status check_filled(const Pattern& pattern) {
    const double cycle = seconds(pattern.cycle);
    if (cycle <= 0) return {};
    double filled = 0;
    for (const Segment& segment : pattern.segments) {
        filled += segment.lasts ? seconds(*segment.lasts) : cycle * *segment.share / 100;
    }
    if (std::abs(filled - cycle) <= cycle * 1e-6) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "segments fill {:.6g} s of a cycle of {}; change their lengths or the "
                           "cycle so that both agree",
                           filled, format_duration(pattern.cycle)));
}

Status check_spikes(const Pattern& pattern) {
    if (pattern.spikes.size() > spikes_max)
        return fail(Errc::invalid, fmt::format("spikes: at most {} are possible", spikes_max));
    for (std::size_t i = 0; i < pattern.spikes.size(); ++i) {
        const Spike& spike = pattern.spikes[i];
        Rules rules{fmt::format("spikes[{}].", i)};
        rules.demand(spike.at >= Duration::zero(), "at must not be negative")
            .longer_than_zero(spike.width, "width")
            .within(spike.lift_pct, "liftPct", -100, percent_max);
        if (auto checked = rules.result(); !checked) return checked;
    }
    return {};
}

} // namespace

Status check(const Pattern& pattern) {
    if (auto checked = check_rate(pattern.base_rate, "baseRate"); !checked) return checked;
    if (pattern.cycle != Duration::zero()) {
        if (auto checked = check_length(pattern.cycle, "cycle"); !checked) return checked;
    }
    if (pattern.segments.empty() || pattern.segments.size() > pieces_max)
        return fail(Errc::invalid, "segments: a pattern needs at least one");
    for (std::size_t i = 0; i < pattern.segments.size(); ++i) {
        const bool has_cycle = pattern.cycle > Duration::zero();
        if (auto checked = check_segment(pattern.segments[i], i, has_cycle); !checked)
            return checked;
    }
    if (auto checked = check_filled(pattern); !checked) return checked;
    return check_spikes(pattern);
}

} // namespace hive::pace

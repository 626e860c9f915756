#include "guard/decide.hpp"
#include "guard/status.hpp"
#include "guard/step.hpp"
#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::guard {
namespace {

constexpr unsigned calm = 10;         // samples inside that end an episode
constexpr unsigned patience = 50;     // samples outside that are no beginning any more
constexpr unsigned sure_of_bound = 5; // samples there
constexpr double at_bound = 0.01;     // of a bound: as good as there

void tell(Step& step, Cause cause, const std::string& text) {
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(cause));
    if ((step.state.told & bit) != 0) return;
    step.state.told = static_cast<std::uint8_t>(step.state.told | bit);
    step.note(std::string{name_of(cause)}, text);
}

void explain_max(Step& step, double average) {
    const double bound = step.settings.adjust.max_rate;
    const double taken = step.state.consumption.rate();
    if (taken > bound * (1 + step.state.consumption.doubt())) {
        tell(
            step, Cause::max_rate,
            fmt::format(
                "the consumers take {}/s, more than maxRatePerSec {}; the queue will run empty "
                "unless it is raised",
                shown_rate(taken), shown_rate(bound)));
    } else if (average < step.settings.min_depth || step.state.consumption.starved()) {
        tell(
            step, Cause::max_rate,
            fmt::format(
                "the producers run at maxRatePerSec {}, and the depth is {:.0f}; raise it to hold "
                "{}",
                shown_rate(bound), average, step.settings.target_depth));
    }
}

void explain_min(Step& step, double average) {
    const double bound = step.settings.adjust.min_rate;
    const double taken = step.state.consumption.rate();
    if (average <= step.state.target) return; // it may well be meant to fill
    if (taken < bound * (1 - step.state.consumption.doubt())) {
        tell(
            step, Cause::min_rate,
            fmt::format(
                "the consumers take {}/s, less than minRatePerSec {}; the queue will grow unless "
                "it is lowered",
                shown_rate(taken), shown_rate(bound)));
    } else if (average > step.settings.max_depth && step.state.outside > patience) {
        tell(
            step, Cause::min_rate,
            fmt::format(
                "the producers run at minRatePerSec {}, the consumers take {}/s, and the depth is "
                "still {:.0f}; lower it to drain sooner",
                shown_rate(bound), shown_rate(taken), average));
    }
}

void explain_bounds(Step& step, double average) {
    State& state = step.state;
    const Adjust& adjust = step.settings.adjust;
    const bool at_max = state.rate >= adjust.max_rate * (1 - at_bound);
    const bool at_min = state.rate <= adjust.min_rate * (1 + at_bound);
    state.at_bound = at_max || at_min ? std::min(state.at_bound + 1, 1000U) : 0;
    if (state.at_bound < sure_of_bound) return;
    if (at_max) explain_max(step, average);
    if (at_min) explain_min(step, average);
}

void explain_chance(Step& step) {
    const Settings& settings = step.settings;
    const double room = std::min(
        settings.target_depth - settings.min_depth, settings.max_depth - settings.target_depth);
    const double reach = reach_of_chance(step.state, settings);
    if (reach <= room) return;
    tell(
        step, Cause::narrow,
        fmt::format(
            "at {}/s, sampled each {}, the depth cannot be held closer than {:.0f} items to its "
            "target; the bracket allows {:.0f}: widen it or sample more often",
            shown_rate(step.state.consumption.rate()), format_duration(settings.sample_period),
            reach, room));
}

// The bracket was left though it had been kept: whatever explains it is told.
void explain_leaving(Step& step, double average) {
    const State& state = step.state;
    const unsigned lately = std::max(step.settings.window, 4U) * 2;
    const std::string where = fmt::format(
        "the depth is {:.0f}, outside {} to {}", average, step.settings.min_depth,
        step.settings.max_depth);
    if (state.since_limit < lately) {
        tell(
            step, Cause::step_limit,
            fmt::format(
                "{}: the rate may rise by {:g} % and fall by {:g} % a decision, the consumers "
                "now take {}/s",
                where, step.settings.adjust.max_increase_pct, step.settings.adjust.max_decrease_pct,
                shown_rate(state.consumption.rate())));
    }
    if (state.since_gap < lately) {
        tell(step, Cause::missing, where + ": samples were missing");
    }
    const double over = step.settings.max_depth;
    if (state.since_lift < lately && average > over) {
        const double raised = target_in(step, Phase::prefill);
        tell(
            step, Cause::lifted,
            fmt::format(
                "{}: ahead of a spike the target is {:.0f}, {:.0f} items from maxDepth, and "
                "chance alone reaches {:.0f}; a smaller liftPct keeps it inside",
                where, raised, over - raised, reach_of_chance(state, step.settings)));
    } else if (state.consumption.changed()) {
        tell(
            step, Cause::change,
            fmt::format(
                "{}: the consumption changed faster than samples each {} can follow; it is {}/s",
                where, format_duration(step.settings.sample_period),
                shown_rate(state.consumption.rate())));
    }
    if (state.told == 0) {
        const bool stepwise = step.settings.adjust.strategy == Strategy::stepwise;
        tell(
            step, Cause::left,
            fmt::format(
                "{}: target {:.0f}, the consumers take {}/s; the last change was from {}/s to "
                "{}/s, rule {}{}",
                where, state.target, shown_rate(state.consumption.rate()),
                shown_rate(state.rate_before), shown_rate(state.rate), name_of(state.rule),
                stepwise ? ", and strategy stepwise acts only outside the bracket" : ""));
    }
}

} // namespace

double reach_of_chance(const State& state, const Settings& settings) {
    constexpr double spread = 2.5; // standard deviations
    const double each = seconds(settings.sample_period);
    const double period =
        each * std::max(1.0, std::ceil(seconds(settings.adjust.min_interval) / each));
    const double usual = std::max({state.consumption.rate(), state.rate, settings.adjust.min_rate});
    const double pull = pull_time(
        {period, usual, smallest_step(settings.adjust), std::sqrt(state.consumption.noise())});
    const double part = period / pull;
    // A chain of steps, each of which leaves 1 - part of the last one's error and adds the noise
    // of a step; the estimate takes part in that noise.
    const double steps = period / each;
    const double variance = 1.3 * state.consumption.noise() * steps / (part * (2 - part));
    // Changes below 1 % are not told to producers: the depth drifts until they are worth it.
    const double drift = 0.01 * usual * (pull + period);
    return (spread * std::sqrt(variance)) + drift + 1;
}

void explain_bracket(Step& step) {
    State& state = step.state;
    if (state.phase == Phase::backpressure) {
        state.outside = 0;
        return;
    }
    const double average = state.depths.average();
    const bool inside = average >= step.settings.min_depth && average <= step.settings.max_depth;
    // On its way back it is outside for a while; for ever needs another reason.
    if (state.phase == Phase::recovery && !inside && state.outside < patience) {
        ++state.outside;
        return;
    }
    state.inside = inside ? std::min(state.inside + 1, 1000U) : 0;
    explain_bounds(step, average);
    if (!state.consumption.changed()) explain_chance(step);
    state.outside = inside ? 0 : std::min(state.outside + 1, 1000U);
    if (!inside && (state.settled || state.outside > patience)) explain_leaving(step, average);
    if (state.inside >= calm) state.settled = true;
    const bool bound = state.rule == Rule::max_rate || state.rule == Rule::min_rate;
    const double room = std::min(
        step.settings.target_depth - step.settings.min_depth,
        step.settings.max_depth - step.settings.target_depth);
    const bool wide = reach_of_chance(state, step.settings) < 0.7 * room;
    if (state.inside >= calm && !bound && wide) state.told = 0;
}

void notice_missing(Step& step, bool depth_known, bool behind_known) {
    State& state = step.state;
    state.since_gap = depth_known ? std::min(state.since_gap + 1, 1000U) : 0;
    if (!depth_known && ++state.missed == missing_max) {
        step.warn(
            "depth-missing",
            fmt::format(
                "the depth of queue '{}' could not be read {} times in a row; the rate stays at "
                "{}/s until it can",
                step.settings.queue, missing_max, shown_rate(state.rate)));
    }
    if (depth_known) {
        if (state.missed >= missing_max) {
            step.note(
                "depth-known",
                fmt::format(
                    "the depth of queue '{}' is known again; it was missing {} times",
                    step.settings.queue, state.missed));
        }
        state.missed = 0;
    }
    if (!step.settings.backpressure) return;
    const std::string& behind = step.settings.backpressure->queue;
    if (!behind_known && ++state.missed_behind == missing_max) {
        step.warn(
            "backpressure-depth-missing",
            fmt::format(
                "the depth of queue '{}' could not be read {} times in a row; backpressure stays "
                "as it was",
                behind, missing_max));
    }
    if (behind_known) {
        if (state.missed_behind >= missing_max) {
            step.note(
                "backpressure-depth-known",
                fmt::format("the depth of queue '{}' is known again", behind));
        }
        state.missed_behind = 0;
    }
}

} // namespace hive::guard

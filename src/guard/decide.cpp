#include "guard/decide.hpp"

#include "guard/step.hpp"
#include "kernel/overloaded.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace hive::guard {
namespace {

// A broker's number that cannot be one is no number.
std::optional<double> sane(std::optional<double> depth) {
    return depth && std::isfinite(*depth) && *depth >= 0 ? depth : std::nullopt;
}

double sane_rate(double rate) {
    return std::isfinite(rate) ? std::max(0.0, rate) : 0;
}

void begin(Step& step) {
    State& state = step.state;
    const Adjust& adjust = step.settings.adjust;
    const double rate = std::clamp(state.configured, adjust.min_rate, adjust.max_rate);
    state.depths.clear();
    state.behind.clear();
    state.consumption.forget();
    state.queue = step.settings.queue;
    state.missed = state.missed_behind = 0;
    state.told = 0;
    state.settled = false;
    state.inside = state.outside = state.at_bound = 0;
    state.factor = 1;
    state.sent_at = step.now;
    state.rate = state.rate_before = state.configured;
    state.adjusted_at.reset();
    enter(step, Phase::steady);
    state.target = target_in(step, state.phase);
    state.consumption.assume(rate);
    if (rate == state.configured) return;
    const Rule rule = rate > state.configured ? Rule::min_rate : Rule::max_rate;
    state.rule = rule;
    step.out.emplace_back(
        SetRate{.total = rate, .from = state.configured, .target = state.target, .rule = rule});
    run_at(step, rate);
}

void end(Step& step) {
    State& state = step.state;
    if (state.phase == Phase::disabled) return;
    step.out.emplace_back(RestoreStatic{state.rate, state.configured});
    if (state.factor < 1) step.out.emplace_back(SetModeratorFactor{1});
    state.factor = 1;
    state.rate = state.configured;
    enter(step, Phase::disabled);
}

void hear(Step& step, const Enabled& enabled) {
    if (step.state.on_duty) end(step);
    step.state.on_duty = true;
    step.state.configured = sane_rate(enabled.configured);
    if (step.settings.enabled) begin(step);
}

void hear(Step& step, const Disabled&) {
    end(step);
    step.state.on_duty = false;
    step.state.spikes.clear();
}

void hear(Step& step, const SettingsChanged&) {
    State& state = step.state;
    if (!state.on_duty) return;
    if (!step.settings.enabled) return end(step);
    if (state.phase == Phase::disabled) return begin(step);
    if (state.queue != step.settings.queue) { // another queue: nothing seen so far is about it
        state.queue = step.settings.queue;
        state.depths.clear();
        state.consumption.forget();
        state.consumption.assume(state.rate);
    }
    state.settled = false;
    state.told = 0;
    state.missed_behind = 0;
    state.behind.clear();
    if (!step.settings.backpressure && state.phase == Phase::backpressure) {
        enter(step, Phase::recovery);
    }
    // Bounds hold at once; everything else waits for the next sample.
    const Adjust& adjust = step.settings.adjust;
    const double rate = std::clamp(state.rate, adjust.min_rate, adjust.max_rate);
    if (rate == state.rate) return;
    const Rule rule = rate > state.rate ? Rule::min_rate : Rule::max_rate;
    step.out.emplace_back(SetRate{
        .total = rate,
        .from = state.rate,
        .depth = state.depths.average(),
        .estimate = state.consumption.rate(),
        .target = state.target,
        .phase = state.phase,
        .rule = rule});
    state.rule = rule;
    run_at(step, rate);
}

void hear(Step& step, const SpikesPlanned& planned) {
    auto& spikes = step.state.spikes;
    spikes = planned.spikes;
    std::erase_if(spikes, [&](const Spike& spike) { return spike.starts <= step.now; });
    std::ranges::sort(spikes, {}, &Spike::starts);
    if (spikes.size() > spikes_max) spikes.resize(spikes_max);
}

// What it steers to follows from the queue and stays; this is what it hands back.
void hear(Step& step, const Configured& configured) {
    State& state = step.state;
    state.configured = sane_rate(configured.total);
    if (state.phase == Phase::disabled) state.rate = state.configured;
}

void hear(Step& step, const Sample& sample) {
    State& state = step.state;
    if (state.phase == Phase::disabled) return;
    take_note_of_sent(step);
    std::erase_if(state.spikes, [&](const Spike& spike) { return spike.starts <= step.now; });
    const auto depth = sane(sample.depth);
    const auto behind = sane(sample.behind);
    notice_missing(step, depth.has_value(), behind.has_value());
    if (depth) {
        const Reading reading{step.now, *depth, state.sent};
        if (!state.depths.empty()) {
            state.consumption.learn(
                state.depths.last(), reading,
                {step.period(), static_cast<double>(step.settings.window),
                 smallest_step(step.settings.adjust), step.settings.adjust.min_rate});
        }
        state.depths.add(reading, step.settings.window);
    }
    if (behind && step.settings.backpressure) {
        state.behind.add({step.now, *behind, 0}, step.settings.window);
    }
    const Phase before = state.phase;
    enter(step, next_phase(step));
    state.target = target_in(step, state.phase);
    state.since_lift = state.phase == Phase::prefill ? 0 : std::min(state.since_lift + 1, 1000U);
    move_moderator(step);
    steer(step, state.phase != before);
    if (depth) explain_bracket(step);
}

} // namespace

std::string_view name_of(Phase phase) noexcept {
    static constexpr std::array<std::string_view, 7> names{
        "DISABLED", "PREFILL", "STEADY", "DRAINING", "FILLING", "BACKPRESSURE", "RECOVERY"};
    return names.at(static_cast<std::size_t>(phase));
}

std::string_view name_of(Cause cause) noexcept {
    static constexpr std::array<std::string_view, 8> names{
        "max-rate",        "min-rate",     "step-limit",  "bracket-narrow", "consumption-changed",
        "samples-missing", "prefill-edge", "bracket-left"};
    return names.at(static_cast<std::size_t>(cause));
}

Decision decide(State state, const Event& event, TimePoint now, const Settings& settings) {
    Decision decision{std::move(state)};
    Step step{decision.next, now, settings, decision.commands};
    std::visit([&](const auto& heard) { hear(step, heard); }, event);
    return decision;
}

} // namespace hive::guard

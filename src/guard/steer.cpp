#include "guard/decide.hpp"
#include "guard/step.hpp"

#include <algorithm>
#include <cmath>

namespace hive::guard {
namespace {

constexpr double change_min = 0.01;        // of the rate: less is not worth a message
constexpr double hair = 1e-9;              // a step of exactly 1 % is one
constexpr double rate_grain = 0.001;       // rates are told in thousandths
constexpr double recovery_step_part = 0.5; // of the steps down: the way back is slower

bool may_adjust(const Step& step) {
    return !step.state.adjusted_at ||
           step.now - *step.state.adjusted_at >= step.settings.adjust.min_interval;
}

Sight look(const Step& step) {
    const State& state = step.state;
    const double estimate = state.consumption.rate();
    return {
        .depth = state.depths.carried(step.here(), {estimate, state.consumption.age()}),
        .average = state.depths.average(),
        .target = state.target,
        .consumption = estimate,
        .rate = state.rate,
        .period = step.period(),
        .starved = state.consumption.starved(),
        .noise = std::sqrt(state.consumption.noise())};
}

Wanted wanted_rate(const Step& step) {
    const Adjust& adjust = step.settings.adjust;
    if (step.state.phase == Phase::backpressure) return {adjust.min_rate, Rule::backpressure};
    const Sight sight = look(step);
    return adjust.strategy == Strategy::stepwise ? stepwise(sight, step.settings)
                                                 : predictive(sight, adjust);
}

double grained(double rate, const Adjust& adjust) {
    return std::clamp(std::round(rate / rate_grain) * rate_grain, adjust.min_rate, adjust.max_rate);
}

} // namespace

double Step::period() const {
    const double each = seconds(settings.sample_period);
    return each * std::max(1.0, std::ceil(seconds(settings.adjust.min_interval) / each));
}

void take_note_of_sent(Step& step) {
    State& state = step.state;
    if (step.now <= state.sent_at) return;
    state.sent += state.rate * seconds(step.now - state.sent_at);
    state.sent_at = step.now;
}

void run_at(Step& step, double rate) {
    State& state = step.state;
    take_note_of_sent(step);
    state.consumption.stirred_by(std::abs(rate - state.rate) * step.period());
    state.rate_before = state.rate;
    state.rate = rate;
    state.adjusted_at = step.now;
    state.unsaid = false;
}

void steer(Step& step, bool changed) {
    State& state = step.state;
    const bool forced = state.phase == Phase::backpressure;
    if (!forced && (!state.consumption.known() || state.missed >= missing_max)) return;
    state.unsaid = state.unsaid || changed;
    if (!may_adjust(step)) return;

    const Wanted before_limits = wanted_rate(step);
    const Wanted wanted = limited(before_limits, state.rate, step.settings.adjust);
    state.rule = wanted.rule;
    const bool stepped = wanted.rule == Rule::increase_limit || wanted.rule == Rule::decrease_limit;
    state.since_limit = stepped ? 0 : std::min(state.since_limit + 1, 1000U);

    const double rate = grained(wanted.rate, step.settings.adjust);
    const bool enough = std::abs(rate - state.rate) >= (change_min - hair) * state.rate;
    if (!enough && !(state.unsaid && rate != state.rate)) {
        state.unsaid = false;
        return;
    }
    step.out.emplace_back(SetRate{
        .total = rate,
        .from = state.rate,
        .depth = state.depths.average(),
        .estimate = state.consumption.rate(),
        .target = state.target,
        .phase = state.phase,
        .rule = wanted.rule});
    run_at(step, rate);
}

void move_moderator(Step& step) {
    State& state = step.state;
    const double before = state.factor;
    const double cut =
        step.settings.backpressure ? step.settings.backpressure->moderator_reduction_pct / 100 : 1;
    if (state.phase == Phase::backpressure) {
        state.factor = std::max(factor_min, state.factor * (1 - cut));
    } else if (state.factor < 1) {
        state.factor = std::min(1.0, state.factor / (1 - (cut * recovery_step_part)));
    }
    if (state.factor != before) step.out.emplace_back(SetModeratorFactor{state.factor});
}

} // namespace hive::guard

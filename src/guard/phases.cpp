#include "guard/step.hpp"

#include <algorithm>
#include <cmath>

namespace hive::guard {
namespace {

bool spike_is_near(const Step& step) {
    const Prefill& prefill = step.settings.prefill;
    return prefill.enabled && std::ranges::any_of(step.state.spikes, [&](const Spike& spike) {
               return spike.starts > step.now && spike.starts - prefill.lookahead <= step.now;
           });
}

// Half-way back to the target: a depth at the edge of the bracket must not flicker.
double way_back(double edge, double target) {
    return (edge + target) / 2;
}

Phase by_depth(const Step& step) {
    const Settings& settings = step.settings;
    const double average = step.state.depths.average();
    const double low = settings.min_depth;
    const double high = settings.max_depth;
    const double target = settings.target_depth;
    if (step.state.depths.empty()) return Phase::steady;
    if (average < low) return Phase::filling;
    if (average > high) return Phase::draining;
    if (step.state.phase == Phase::filling && average < way_back(low, target))
        return Phase::filling;
    if (step.state.phase == Phase::draining && average > way_back(high, target))
        return Phase::draining;
    return Phase::steady;
}

bool has_recovered(const Step& step) {
    if (step.state.factor < 1) return false;
    if (step.state.depths.empty()) return true;
    const double average = step.state.depths.average();
    return average >= step.settings.min_depth && average <= step.settings.max_depth;
}

} // namespace

bool presses(const Step& step) {
    const auto& limits = step.settings.backpressure;
    const Depths& behind = step.state.behind;
    if (!limits) return false;
    if (behind.empty()) return step.state.phase == Phase::backpressure; // not known: as it was
    // Of two ends the later one counts: above to begin, and below to end, on average and now.
    if (step.state.phase == Phase::backpressure) {
        return behind.average() > limits->recovery_depth ||
               behind.last().depth > limits->recovery_depth;
    }
    return behind.average() > limits->high_depth;
}

Phase next_phase(const Step& step) {
    const Phase phase = step.state.phase;
    if (presses(step)) return Phase::backpressure;
    if (phase == Phase::backpressure) return Phase::recovery;
    if (phase == Phase::recovery && !has_recovered(step)) return Phase::recovery;
    if (spike_is_near(step)) return Phase::prefill;
    return by_depth(step);
}

void enter(Step& step, Phase phase) {
    if (step.state.phase == phase) return;
    step.state.phase = phase;
    step.state.since = step.now;
}

double target_in(const Step& step, Phase phase) {
    const Settings& settings = step.settings;
    const double target = settings.target_depth;
    if (phase != Phase::prefill) return target;
    const double lifted = target * (1 + (settings.prefill.lift_pct / 100));
    return std::min<double>(lifted, settings.max_depth - room_min);
}

} // namespace hive::guard

#include "guard/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace hive::guard {
namespace {

// Of a gap, closed in each decision. Producers that react a whole period late still settle.
constexpr double pull = 0.4;
constexpr double items_least = 5;     // a single item must not shake the rate
constexpr double starved_rise = 1.25; // each decision, into the unknown
constexpr int halvings = 32;          // more exact than any estimate

// Items too many until `rate` has come down to the level; one period more, for a late reaction.
double sent_while_slowing(const Braking& b, double rate) {
    if (rate <= b.level) return 0;
    const double keep = 1 - std::min(b.step, 1.0);
    const double steps = keep <= 0 ? 1 : std::ceil(std::log(rate / b.level) / -std::log(keep));
    const double sum = keep <= 0 ? rate : rate * (1 - std::pow(keep, steps)) / (1 - keep);
    return b.period * (sum - (steps * b.level) + (rate - b.level));
}

double missed_while_speeding(const Braking& b, double rate) {
    if (rate >= b.level) return 0;
    const double steps = std::ceil(std::log(b.level / rate) / std::log1p(b.step));
    const double sum = rate * std::expm1(steps * std::log1p(b.step)) / b.step;
    return b.period * ((steps * b.level) - sum + (b.level - rate));
}

} // namespace

std::string_view name_of(Rule rule) noexcept {
    static constexpr std::array<std::string_view, 11> names{
        "hold",         "brake",          "starved",        "step-up",  "step-down", "inside",
        "backpressure", "increase-limit", "decrease-limit", "min-rate", "max-rate"};
    return names.at(static_cast<std::size_t>(rule));
}

double smallest_step(const Adjust& adjust) {
    return std::min(adjust.max_increase_pct, adjust.max_decrease_pct) / 100;
}

double shaken_for(const Tempo& tempo) {
    return tempo.noise / (tempo.usual_rate * tempo.step);
}

double pull_time(const Tempo& tempo) {
    return std::max({tempo.period / pull, items_least / tempo.usual_rate, shaken_for(tempo)});
}

double fastest_that_stops(const Braking& braking) {
    // One step in no time would already use the room up.
    double low = braking.level;
    double high = braking.level + (braking.room / braking.period);
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (sent_while_slowing(braking, middle) <= braking.room ? low : high) = middle;
    }
    return low;
}

double slowest_that_stops(const Braking& braking) {
    double low = std::max(braking.level - (braking.room / braking.period), braking.level * 1e-6);
    double high = braking.level;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (missed_while_speeding(braking, middle) <= braking.room ? high : low) = middle;
    }
    return high;
}

Wanted predictive(const Sight& sight, const Adjust& adjust) {
    const double usual = std::max({sight.consumption, sight.rate, adjust.min_rate});
    const double gap = sight.target - sight.depth;
    Wanted wanted{
        sight.consumption +
            (gap / pull_time({sight.period, usual, smallest_step(adjust), sight.noise})),
        Rule::hold};
    const double level = std::clamp(sight.consumption, adjust.min_rate, adjust.max_rate);
    const auto brake = [&](double step_pct) {
        return Braking{level, std::abs(gap), step_pct / 100, sight.period};
    };
    if (gap > 0 && wanted.rate > level) {
        const double fastest = fastest_that_stops(brake(adjust.max_decrease_pct));
        if (wanted.rate > fastest) wanted = {fastest, Rule::brake};
    } else if (gap < 0 && wanted.rate < level) {
        const double slowest = slowest_that_stops(brake(adjust.max_increase_pct));
        if (wanted.rate < slowest) wanted = {slowest, Rule::brake};
    }
    if (sight.starved && gap > 0 && wanted.rate < sight.rate * starved_rise) {
        wanted = {sight.rate * starved_rise, Rule::starved};
    }
    return wanted;
}

Wanted stepwise(const Sight& sight, const Settings& settings) {
    const Adjust& adjust = settings.adjust;
    if (sight.average < settings.min_depth) {
        const double most = sight.rate * adjust.max_increase_pct / 100;
        const double delta = std::clamp(sight.target - sight.average, 0.0, most);
        return {sight.rate + delta, Rule::step_up};
    }
    if (sight.average > settings.max_depth) {
        const double most = sight.rate * adjust.max_decrease_pct / 100;
        const double delta = std::clamp(sight.average - sight.target, 0.0, most);
        return {sight.rate - delta, Rule::step_down};
    }
    return {sight.rate, Rule::inside};
}

Wanted limited(Wanted wanted, double rate, const Adjust& adjust) {
    const double highest = rate * (1 + (adjust.max_increase_pct / 100));
    const double lowest = rate * (1 - (adjust.max_decrease_pct / 100));
    if (wanted.rate > highest) wanted = {highest, Rule::increase_limit};
    if (wanted.rate < lowest) wanted = {lowest, Rule::decrease_limit};
    if (wanted.rate > adjust.max_rate) wanted = {adjust.max_rate, Rule::max_rate};
    if (wanted.rate < adjust.min_rate) wanted = {adjust.min_rate, Rule::min_rate};
    return wanted;
}

} // namespace hive::guard

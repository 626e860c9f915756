#include "guard/consumption.hpp"

#include "guard/law.hpp"

#include <algorithm>
#include <cmath>

namespace hive::guard {
namespace {

constexpr double samples_least = 4; // a shorter memory is unstable when producers react late
constexpr double items_least = 10;  // fewer say nothing about a rate
constexpr double sure = 4;          // standard deviations that chance does not explain
constexpr double louder = 0.1;      // how soon noise is believed, each sample
constexpr double quieter = 0.03;    // and its absence: a lull must not make chance a surprise
constexpr int recent = 8;           // samples

} // namespace

void Consumption::learn(const Reading& before, const Reading& after, const Pace& pace) {
    const double span = seconds(after.at - before.at);
    if (span <= 0) return;
    const double sent = after.sent - before.sent;
    const double measured = std::max(0.0, (sent - (after.depth - before.depth)) / span);
    starved_ = after.depth <= 0;
    if (starved_ && age_ > 0) { // what was taken is all there was: the rate can only be higher
        const double part = std::min(1.0, span / std::max(memory_, span));
        rate_ += part * std::max(0.0, measured - rate_);
        return;
    }
    if (age_ <= 0) variance_ = (measured * span) + sent; // as if both ends were left to chance
    const double missed = std::abs(after.depth - (before.depth + sent - (rate_ * span)));
    // From an empty queue only a lower bound is known: what comes next is news, not a late
    // reaction.
    const bool was_empty = before.depth <= 0;
    const double unexplained = age_ > 0 ? std::max(0.0, missed - (was_empty ? 0 : stirred_)) : 0;
    const double spread = std::sqrt(variance_ + 1);
    const bool surprise = unexplained > (was_empty ? 1 : sure) * spread;
    surprised_ = surprise ? recent : std::max(0, surprised_ - 1);
    // A change must not look like noise, but what surprises again and again is noise.
    const double seen = std::min(unexplained, 2 * spread);
    variance_ += (seen > spread ? louder : quieter) * ((seen * seen) - variance_);
    age_ = surprise ? span : age_ + span;
    const double usual = std::max({rate_, sent / span, pace.slowest});
    memory_ = std::max(
        {std::max(samples_least, pace.memory) * pace.period, items_least / usual,
         shaken_for({pace.period, usual, pace.step, std::sqrt(variance_)})});
    rate_ += std::min(1.0, span / std::min(age_, memory_)) * (measured - rate_);
    stirred_ /= 2;
}

double Consumption::doubt() const {
    return 2 / std::sqrt(std::max(4.0, rate_ * std::min(age_, memory_)));
}

} // namespace hive::guard

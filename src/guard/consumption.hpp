#pragma once

#include "guard/depths.hpp"

namespace hive::guard {

// What the consumers of a queue take, learnt from what was put in and what is still there: own
// input minus the slope of the depth. The slope alone would say zero in every steady state.
class Consumption {
public:
    struct Pace {
        double period = 1;     // seconds between two decisions
        double memory = 4;     // samples
        double step = 1;       // the part of the rate that one decision may change
        double slowest = 0.01; // of the producers, per second
    };

    // Two readings, one after the other.
    void learn(const Reading& before, const Reading& after, const Pace& pace);
    // The producers were told to run at another rate. They may do so late, and a surprise from
    // that is none.
    void stirred_by(double items) { stirred_ += items; }
    void assume(double rate) { rate_ = rate; } // before anything was seen
    void forget() { *this = {}; }

    double rate() const noexcept { return rate_; } // per second
    double age() const noexcept { return age_; }   // seconds since it last changed at once
    bool known() const noexcept { return age_ > 0; }
    bool starved() const noexcept { return starved_; } // they would take more if there were more
    bool changed() const noexcept { return surprised_ > 0; } // of late, by more than chance
    // By which part of it the rate may be wrong, if both ends are left to chance.
    double doubt() const;
    double noise() const noexcept { return variance_; } // of one step, in items squared

private:
    double rate_ = 0;
    double memory_ = 0;   // seconds
    double age_ = 0;      // seconds of learning since the last surprise
    double variance_ = 0; // of what a step was foretold wrong
    double stirred_ = 0;
    int surprised_ = 0; // samples for which a surprise is recent
    bool starved_ = false;
};

} // namespace hive::guard

#pragma once

#include "guard/settings.hpp"

#include <cstdint>
#include <string_view>

namespace hive::guard {

// Why a rate is what it is; the last limit that spoke wins.
enum class Rule : std::uint8_t {
    hold,           // consumption plus a pull towards the target
    brake,          // as hold, but slow enough to stop at the target
    starved,        // the queue is empty: nobody knows how much more is wanted
    step_up,        // stepwise, below the bracket
    step_down,      // stepwise, above it
    inside,         // stepwise, within it
    backpressure,   // towards the minimum
    increase_limit, // maxIncreasePct
    decrease_limit, // maxDecreasePct
    min_rate,
    max_rate,
};
std::string_view name_of(Rule rule) noexcept;

struct Wanted {
    double rate = 0;
    Rule rule = Rule::hold;
};

// What the law looks at.
struct Sight {
    double depth = 0;   // smoothed, without lag
    double average = 0; // smoothed, as it is
    double target = 0;
    double consumption = 0; // per second
    double rate = 0;        // what the producers run at
    double period = 1;      // seconds until the next decision
    bool starved = false;
    double noise = 0; // items, see Tempo
};

// Feed-forward of the consumption and a proportional pull that can stop in time.
Wanted predictive(const Sight& sight, const Adjust& adjust);

// The rule of the queue guard plan to the letter.
Wanted stepwise(const Sight& sight, const Settings& settings);

// Percentage limits, then absolute bounds.
Wanted limited(Wanted wanted, double rate, const Adjust& adjust);

// Over which time the pull closes a gap, in seconds. Chance alone must not drive the rate to its
// step limits: limits that differ would make a drift of it.
struct Tempo {
    double period = 1;     // seconds between two decisions
    double usual_rate = 1; // per second
    double step = 1;       // the part of the rate that one decision may change, either way
    double noise = 0;      // items: the standard deviation of what one period brings
};
double pull_time(const Tempo& tempo);
double shaken_for(const Tempo& tempo); // the same for an estimate's memory
double smallest_step(const Adjust& adjust);

// The fastest rate from which the producers can come down to `level`, step by step, before more
// than `room` items too many were sent; and its mirror image.
struct Braking {
    double level = 0; // per second
    double room = 0;  // items
    double step = 0;  // the part of the rate that one decision may change
    double period = 1;
};
double fastest_that_stops(const Braking& braking);
double slowest_that_stops(const Braking& braking);

} // namespace hive::guard

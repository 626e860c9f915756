#include "guard/consumption.hpp"
#include "guard/law.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::guard;

namespace {

constexpr Adjust wide{.max_increase_pct = 1000, .max_decrease_pct = 100, .min_rate = 1};

Reading at(double second, double depth, double sent) {
    return {TimePoint{Duration{static_cast<Duration::rep>(second * 1e9)}}, depth, sent};
}

} // namespace

TEST_CASE("at the target the rate is what the consumers take") {
    const Sight sight{.depth = 200, .target = 200, .consumption = 500, .rate = 480};
    CHECK(predictive(sight, wide).rate == doctest::Approx(500));
}

TEST_CASE("a gap pulls the rate, above it and below") {
    const Sight low{.depth = 100, .target = 200, .consumption = 500, .rate = 500};
    CHECK(predictive(low, wide).rate == doctest::Approx(540));
    const Sight high{.depth = 300, .target = 200, .consumption = 500, .rate = 500};
    CHECK(predictive(high, wide).rate == doctest::Approx(460));
}

TEST_CASE("a rate that may only fall slowly does not rise to where it could not stop") {
    constexpr Adjust slow{.max_increase_pct = 100, .max_decrease_pct = 10, .min_rate = 1};
    const Sight far{.depth = 0, .target = 2000, .consumption = 500, .rate = 500};
    const Wanted wanted = predictive(far, slow);
    CHECK(wanted.rule == Rule::brake);
    // The way down from there, as the limits allow it, fills the gap and no more.
    double filled = wanted.rate - 500;
    for (double rate = wanted.rate; rate > 500; rate *= 0.9) filled += rate - 500;
    CHECK(filled <= 2000);
    CHECK(filled > 1900);
}

TEST_CASE("the same in the other direction") {
    const double slowest = slowest_that_stops({.level = 500, .room = 2000, .step = 0.1});
    double missed = 500 - slowest;
    for (double rate = slowest; rate < 500; rate *= 1.1) missed += 500 - rate;
    CHECK(missed <= 2000.001);
    CHECK(missed > 1800);
}

TEST_CASE("an empty queue raises the rate although nobody knows by how much") {
    const Sight empty{.depth = 0, .target = 4, .consumption = 100, .rate = 100, .starved = true};
    CHECK(predictive(empty, wide).rate == doctest::Approx(125));
    CHECK(predictive(empty, wide).rule == Rule::starved);
}

TEST_CASE("stepwise is the rule of the plan to the letter") {
    Settings settings{};
    Sight sight{.average = 100, .target = 200, .rate = 500};
    CHECK(stepwise(sight, settings).rate == doctest::Approx(550)); // 10 % are less than 100 items
    sight.average = 115;
    sight.rate = 5000;
    CHECK(stepwise(sight, settings).rate == doctest::Approx(5085)); // 85 items are less than 10 %
    sight.average = 200;
    CHECK(stepwise(sight, settings).rate == 5000);
    sight.average = 281;
    CHECK(stepwise(sight, settings).rate == doctest::Approx(4919));
    sight.average = 120; // the ends belong to the bracket
    CHECK(stepwise(sight, settings).rule == Rule::inside);
}

TEST_CASE("limits: first the step, then the bounds") {
    constexpr Adjust adjust{.min_rate = 50, .max_rate = 5000};
    CHECK(limited({900, Rule::hold}, 500, adjust).rate == doctest::Approx(550));
    CHECK(limited({900, Rule::hold}, 500, adjust).rule == Rule::increase_limit);
    CHECK(limited({100, Rule::hold}, 500, adjust).rate == doctest::Approx(425));
    CHECK(limited({9000, Rule::hold}, 4900, adjust).rate == 5000);
    CHECK(limited({9000, Rule::hold}, 4900, adjust).rule == Rule::max_rate);
    CHECK(limited({0, Rule::hold}, 51, adjust).rate == 50);
}

TEST_CASE("consumption is the own input minus the slope of the depth") {
    Consumption consumption;
    consumption.assume(300);
    consumption.learn(at(0, 200, 0), at(1, 250, 500), {});
    CHECK(consumption.rate() == doctest::Approx(450)); // not 50, which is what the depth alone says
    consumption.learn(at(1, 250, 500), at(2, 250, 950), {});
    CHECK(consumption.rate() == doctest::Approx(450));
}

TEST_CASE("a change larger than chance is believed at once, a smaller one slowly") {
    Consumption consumption;
    double sent = 0;
    for (int i = 0; i < 40; ++i, sent += 1000)
        consumption.learn(at(i, 500, sent), at(i + 1, 500, sent + 1000), {});
    Consumption little = consumption;
    little.learn(at(40, 500, sent), at(41, 498, sent + 1000), {});
    CHECK(little.rate() == doctest::Approx(1000.5));
    CHECK_FALSE(little.changed());
    consumption.learn(at(40, 500, sent), at(41, 0.5, sent + 1000), {});
    CHECK(consumption.rate() == doctest::Approx(1499.5));
    CHECK(consumption.changed());
}

TEST_CASE("an empty queue says what was taken at least, not what could be") {
    Consumption consumption;
    consumption.learn(at(0, 100, 0), at(1, 100, 800), {});
    consumption.learn(at(1, 100, 800), at(2, 0, 1000), {});
    CHECK(consumption.starved());
    CHECK(consumption.rate() == doctest::Approx(800));
}

TEST_CASE("the moving average is old; carried to now it is not") {
    Depths depths;
    depths.add(at(0, 100, 0), 3);
    depths.add(at(1, 150, 500), 3);
    depths.add(at(2, 200, 1000), 3);
    CHECK(depths.average() == doctest::Approx(150));
    CHECK(depths.carried(at(2, 0, 1000), {450, 100}) == doctest::Approx(200));
    CHECK(depths.carried(at(3, 0, 1500), {450, 100}) == doctest::Approx(250));
    CHECK(depths.carried(at(2, 0, 1000), {450, 1}) == doctest::Approx(200));
    depths.add(at(3, 90, 1000), 3);
    CHECK(depths.size() == 3);
    // From before the consumption changed: only the last reading counts.
    CHECK(depths.carried(at(3, 0, 1000), {110, 1}) == doctest::Approx(90));
}

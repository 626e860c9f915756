#include "tests/simulation/guard/loop.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>

// As people would set a guard: after settling the smoothed depth stays in the bracket, or the guard
// says why it cannot. All else that validation takes: accepted_test.cpp.

using namespace hive;
using namespace hive::simulation;

namespace {

constexpr int share = GUARD_SEEDS_SHARE; // of the seeds: one in so many
constexpr double watched = 300;          // samples
constexpr std::array causes{
    "max-rate",       "min-rate", "step-limit", "bracket-narrow", "consumption-changed",
    "samples-missing"};

double log_between(Random& random, double low, double high) {
    return low * std::pow(high / low, random.unit());
}
std::uint32_t items(double count) {
    return static_cast<std::uint32_t>(count);
}

struct Case {
    Course course{};
    double consumption = 0;
    double period = 1;
    double settling = 0; // seconds

    // All that stands against it taken away: limits, delays, chance and loss.
    bool roomy() const {
        const auto& settings = course.settings;
        const double decision =
            period + std::max(0.0, guard::seconds(settings.adjust.min_interval));
        const double room = std::min(
            settings.target_depth - settings.min_depth, settings.max_depth - settings.target_depth);
        // Both ends by chance; how fast the loop may be depends on the steps it may take.
        const double step =
            std::min(settings.adjust.max_increase_pct, settings.adjust.max_decrease_pct) / 100;
        const double shaken = std::sqrt(2 * consumption * decision) / (consumption * step);
        const double pull = std::max({2.5 * decision, 5 / consumption, shaken});
        const double chance =
            4 * std::sqrt(1.3 * consumption * (pull + decision)) * (1 + course.late);
        const double drift = 0.1 * consumption * decision; // changes below 1 % are not told
        const bool bounds = settings.adjust.min_rate < 0.6 * consumption &&
                            settings.adjust.max_rate > 1.5 * consumption;
        const bool quick = settings.adjust.max_increase_pct >= 10 &&
                           settings.adjust.max_decrease_pct >= 10 && !course.silent;
        return bounds && quick && room > chance + drift + 5;
    }
};

// `generous`: brackets, steps and targets as a person would choose them.
Case any_case(std::uint64_t seed, bool generous = false) {
    Random random{seed};
    Case one;
    Course& course = one.course;
    auto& settings = course.settings;
    course.seed = seed;
    one.period = log_between(random, 0.05, 5);
    one.consumption = log_between(random, 2, 5000);
    const double bracket = generous ? 0.3 : 0.03; // of the target
    const double target =
        std::max(3.0, std::floor(one.consumption * log_between(random, generous ? 1 : 0.1, 30)));
    settings.enabled = true;
    settings.queue = "q";
    settings.sample_period = Duration{static_cast<Duration::rep>(one.period * 1e9)};
    settings.window = 1 + items(static_cast<double>(random.below(8)));
    settings.target_depth = items(target);
    settings.min_depth = items(std::max(
        0.0, std::min(target - 2, std::floor(target * (1 - log_between(random, bracket, 1))))));
    settings.max_depth =
        items(std::max(target + 2, std::ceil(target * (1 + log_between(random, bracket, 1)))));
    settings.adjust.max_increase_pct = log_between(random, generous ? 10 : 1, 200);
    settings.adjust.max_decrease_pct = log_between(random, generous ? 10 : 1, 100);
    settings.adjust.min_rate = std::max(
        guard::rate_min,
        one.consumption * (random.chance(0.1) ? 1.2 : log_between(random, 0.01, 0.5)));
    settings.adjust.max_rate = std::max(
        settings.adjust.min_rate,
        one.consumption * (random.chance(0.1) ? 0.8 : log_between(random, 2, 50)));
    if (random.chance(0.3))
        settings.adjust.min_interval =
            Duration{static_cast<Duration::rep>(one.period * 3e9 * random.unit())};
    course.configured = one.consumption * log_between(random, 0.2, 4);
    course.depth = std::floor(target * random.unit() * 3);
    const auto noise = random.below(3);
    course.poisson = noise == 1;
    course.jitter = noise == 2 ? 0.2 : 0;
    course.actuation = random.chance(0.5) ? 0 : 0.7 * one.period * random.unit();
    course.late = random.chance(0.5) ? 0 : 0.4 * random.unit();
    if (random.chance(0.3)) {
        const auto lost = std::make_shared<Random>(seed + 1);
        course.silent = [lost](double) { return lost->chance(0.1); };
    }
    course.consumers = [rate = one.consumption](double) { return rate; };
    // From three times the target down to it, at half the consumption, and some more.
    one.settling = std::max(600 * one.period, 6 * target / one.consumption);
    course.length = one.settling + (watched * one.period);
    return one;
}

bool says_why(const Story& story, double from) {
    return std::ranges::any_of(causes, [&](const char* each) { return story.says(each, from); });
}

} // namespace

TEST_CASE("with samples that get lost it is held, or the guard says why not") {
    int held = 0;
    for (std::uint64_t seed = 1; seed <= 2000 / share; ++seed) {
        const Case one = any_case(seed);
        const auto& settings = one.course.settings;
        const Story story = play(one.course);
        const double from = one.settling;
        const double inside = story.part_between(settings.min_depth, settings.max_depth, {from});
        CAPTURE(seed);
        CAPTURE(inside);
        held += inside >= 0.99 ? 1 : 0;
        CHECK((inside >= 0.99 || says_why(story, 0)));
    }
    CHECK(held >= 900 / share);
    MESSAGE(held, " of ", 2000 / share, " held");
}

TEST_CASE("with room for chance and steps it always holds, and does not complain") {
    int roomy = 0;
    for (std::uint64_t seed = 1; seed <= 2500 / share; ++seed) {
        const Case one = any_case(seed, true);
        if (!one.roomy()) continue;
        ++roomy;
        const auto& settings = one.course.settings;
        const Story story = play(one.course);
        const double inside =
            story.part_between(settings.min_depth, settings.max_depth, {one.settling});
        CAPTURE(seed);
        CHECK(inside >= 0.99);
        CHECK_FALSE(story.says("bracket-narrow", one.settling));
        CHECK_FALSE(story.says("max-rate", one.settling));
        CHECK_FALSE(story.says("min-rate", one.settling));
    }
    CHECK(roomy >= 400 / share);
    MESSAGE(roomy, " of ", 2500 / share, " had room");
}

TEST_CASE("a bound that forbids it is named, and only where it does") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Case one = any_case(seed);
        const auto& adjust = one.course.settings.adjust;
        const Story story = play(one.course);
        CAPTURE(seed);
        if (one.consumption > adjust.max_rate * 1.1) CHECK(story.says("max-rate"));
        if (one.consumption < adjust.min_rate / 1.1) CHECK(story.says("min-rate"));
        for (const Told& each : story.told) {
            const auto* note = std::get_if<guard::Note>(&each.command);
            if (note == nullptr) continue;
            const bool less = note->text.find("less than min") != std::string::npos;
            const bool more = note->text.find("more than max") != std::string::npos;
            if (less) CHECK(one.consumption < adjust.min_rate * 1.5);
            if (more) CHECK(one.consumption > adjust.max_rate / 1.5);
        }
    }
}

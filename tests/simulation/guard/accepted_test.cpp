// Guards with any settings that validation takes, in a closed loop: each holds its queue, or says
// why it cannot.
#include "kernel/fields.hpp"
#include "tests/simulation/guard/loop.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace hive;
using namespace hive::simulation;

namespace {

constexpr int share = GUARD_SEEDS_SHARE; // of the seeds: one in so many
constexpr double watched = 300;          // decisions
// Without "bracket-left", which says that the guard does not know either.
constexpr std::array causes{
    "max-rate",        "min-rate",    "step-limit", "bracket-narrow", "consumption-changed",
    "samples-missing", "prefill-edge"};

double log_between(Random& random, double low, double high) {
    return low * std::pow(high / low, random.unit());
}
std::string milliseconds(double seconds) {
    return fmt::format("{:.0f}ms", std::round(seconds * 1000));
}

// What a person, or a program, may write. Some of it contradicts itself, or is out of range.
json::object any_text(Random& random, double consumption) {
    const double period =
        random.chance(0.1) ? log_between(random, 0.045, 4000) : log_between(random, 0.05, 5);
    const double target = std::floor(
        std::max(random.unit() * 40, consumption * period * log_between(random, 0.5, 300)));
    const auto around = [&](double sign) {
        return std::floor(std::max(0.0, target * (1 + (sign * log_between(random, 0.03, 1)))));
    };
    const bool low = random.chance(0.05);
    const bool high = random.chance(0.05);
    json::object text{
        {"enabled", true},
        {"queueAlias", "q"},
        {"targetDepth", static_cast<std::int64_t>(target)},
        {"minDepth", static_cast<std::int64_t>(around(-1))},
        {"maxDepth", static_cast<std::int64_t>(around(+1))},
        {"samplePeriod", milliseconds(period)},
        {"movingAverageWindow", random.below(62)}};
    text["adjust"] = json::object{
        {"maxIncreasePct", log_between(random, 0.95, 1000)},
        {"maxDecreasePct", log_between(random, 0.95, 102)},
        {"minRatePerSec", consumption * (low ? 1.2 : log_between(random, 0.001, 0.6))},
        {"maxRatePerSec", consumption * (high ? 0.8 : log_between(random, 1.5, 500))},
        {"minInterval", milliseconds(random.chance(0.7) ? 0 : 8 * period * random.unit())}};
    if (random.chance(0.4)) {
        text["prefill"] = json::object{
            {"enabled", true},
            {"lookahead", milliseconds(period * log_between(random, 0.5, 400))},
            {"liftPct", log_between(random, 1, 1050)}};
    }
    if (random.chance(0.4)) {
        const double most = std::floor(log_between(random, 1, 20 * std::max(1.0, target)));
        text["backpressure"] = json::object{
            {"queueAlias", "behind"},
            {"highDepth", static_cast<std::int64_t>(most)},
            {"recoveryDepth", static_cast<std::int64_t>(most * random.unit() * 1.05)},
            {"moderatorReductionPct", log_between(random, 0.95, 92)}};
    }
    return text;
}

struct Case {
    Course course{};
    double consumption = 0;
    double decision = 1; // seconds
    double settling = 0; // seconds
    bool stalls = false; // what is behind the moderator

    // Nothing stands against holding it: neither bounds nor steps, nor chance at both ends.
    bool roomy() const {
        const auto& settings = course.settings;
        const auto& adjust = settings.adjust;
        const double target = settings.target_depth;
        const double lifted =
            settings.prefill.enabled ? target * (1 + (settings.prefill.lift_pct / 100)) : target;
        const double room = std::min(target - settings.min_depth, settings.max_depth - lifted);
        const double step = std::min(adjust.max_increase_pct, adjust.max_decrease_pct) / 100;
        const double shaken = std::sqrt(2 * consumption * decision) / (consumption * step);
        const double pull = std::max({2.5 * decision, 5 / consumption, shaken});
        const double chance =
            4 * std::sqrt(1.3 * consumption * (pull + decision)) * (1 + course.late);
        const double drift = 0.1 * consumption * decision; // changes below 1 % are not told
        const bool bounds =
            adjust.min_rate < 0.6 * consumption && adjust.max_rate > 1.5 * consumption;
        return bounds && step >= 0.1 && room > chance + drift + 5;
    }
};

// None: validation refuses it.
std::optional<Case> any_case(std::uint64_t seed) {
    Random random{seed};
    Case one;
    Course& course = one.course;
    one.consumption = log_between(random, 0.05, 20'000);
    auto settings = bind<guard::Settings>(any_text(random, one.consumption));
    if (!settings) return std::nullopt;
    course.settings = *std::move(settings);
    course.seed = seed;
    const double period = guard::seconds(course.settings.sample_period);
    const double target = course.settings.target_depth;
    one.decision =
        period *
        std::max(1.0, std::ceil(guard::seconds(course.settings.adjust.min_interval) / period));
    course.configured = one.consumption * log_between(random, 0.2, 4);
    course.depth = std::floor(target * random.unit() * 3);
    const auto noise = random.below(3);
    course.poisson = noise == 1;
    course.jitter = noise == 2 ? 0.2 : 0;
    course.actuation = random.chance(0.5) ? 0 : 0.7 * period * random.unit();
    course.late = random.chance(0.5) ? 0 : 0.4 * random.unit();
    course.consumers = [rate = one.consumption](double) { return rate; };
    // From three times the target down to it, at half the consumption, and some more.
    one.settling = std::max(600 * one.decision, 6 * target / one.consumption);
    course.length = one.settling + (watched * one.decision);
    if (course.settings.prefill.enabled) {
        const double at = one.settling + (0.5 * watched * one.decision);
        const auto starts = TimePoint{Duration{static_cast<Duration::rep>(at * 1e9)}};
        course.spikes = {{starts, std::chrono::seconds{1}}};
    }
    if (course.settings.backpressure) {
        one.stalls = random.chance(0.5);
        const double begin = one.stalls ? 0.2 * one.settling : 1e300;
        const double end = begin + (20 * one.decision);
        course.processors = [begin, end, rate = one.consumption](double t) {
            return t >= begin && t < end ? 0.1 * rate : 2 * rate;
        };
    }
    return one;
}

bool forced(const Point& point) {
    return point.phase == guard::Phase::backpressure || point.phase == guard::Phase::recovery;
}

bool prefilling(const Point& point) {
    return point.phase == guard::Phase::prefill;
}

// The part of the points after settling that are within the bracket, or are not because a queue
// further on is too full.
double part_held(const Case& one, const Story& story) {
    const auto& settings = one.course.settings;
    double all = 0;
    double good = 0;
    for (const Point& point : story.points) {
        if (point.at < one.settling) continue;
        const bool inside =
            point.average >= settings.min_depth && point.average <= settings.max_depth;
        ++all;
        good += inside || point.phase == guard::Phase::backpressure ? 1 : 0;
    }
    return all > 0 ? good / all : 0;
}

bool says_why(const Story& story) {
    return std::ranges::any_of(causes, [&](const char* each) { return story.says(each); });
}

// So that nobody takes a test for one that looked at nothing.
struct Count {
    int refused = 0;
    int held = 0;
    int roomy = 0;
    int wide = 0;
    int pressed = 0;
    int lifted = 0;
    std::array<int, causes.size()> told{};

    void add(const Case& one, const Story& story, double part) {
        held += part >= 0.99 ? 1 : 0;
        roomy += one.roomy() ? 1 : 0;
        wide += one.course.settings.window > 30 ? 1 : 0;
        pressed += std::ranges::any_of(story.points, forced) ? 1 : 0;
        lifted += std::ranges::any_of(story.points, prefilling) ? 1 : 0;
        for (std::size_t i = 0; i < causes.size(); ++i) told[i] += story.says(causes[i]) ? 1 : 0;
    }
    std::string text() const {
        std::string out = fmt::format(
            "{} refused, {} held, {} roomy, {} wide, {} pressed, {} prefilled", refused, held,
            roomy, wide, pressed, lifted);
        for (std::size_t i = 0; i < causes.size(); ++i) {
            out += fmt::format(", {} {}", causes[i], told[i]);
        }
        return out;
    }
};

} // namespace

TEST_CASE("whatever validation accepts is held, or the guard says why not") {
    Count count;
    for (std::uint64_t seed = 1; seed <= 3000 / share; ++seed) {
        const auto one = any_case(seed);
        if (!one) {
            ++count.refused;
            continue;
        }
        const Story story = play(one->course);
        const double part = part_held(*one, story);
        CAPTURE(seed);
        CAPTURE(part);
        count.add(*one, story, part);
        CHECK((part >= 0.99 || says_why(story)));
        if (one->roomy()) {
            CHECK(part >= 0.99);
            CHECK_FALSE(story.says("bracket-narrow", one->settling));
            CHECK_FALSE(story.says("max-rate", one->settling));
            CHECK_FALSE(story.says("min-rate", one->settling));
        }
    }
    MESSAGE(count.text());
    CHECK(count.refused >= 500 / share);
    CHECK(count.held >= 1200 / share);
    CHECK(count.roomy >= 200 / share);
    CHECK(count.wide >= 900 / share);
    CHECK(count.pressed >= 250 / share);
    CHECK(count.lifted >= 600 / share);
}

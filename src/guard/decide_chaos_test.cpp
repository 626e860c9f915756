#include "guard/decide.hpp"
#include "guard/status.hpp"
#include "kernel/overloaded.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

// Whatever is heard in whatever order: rates stay within bounds and steps, nothing becomes NaN.

using namespace hive;
using namespace hive::guard;
using namespace std::chrono_literals;

namespace {

double log_between(Random& random, double low, double high) {
    return low * std::pow(high / low, random.unit());
}

Settings any_settings(Random& random) {
    Settings settings;
    settings.enabled = random.chance(0.9);
    settings.queue = random.chance(0.9) ? "a" : "b";
    settings.min_depth = static_cast<std::uint32_t>(random.below(1000));
    settings.target_depth = settings.min_depth + 2 + static_cast<std::uint32_t>(random.below(500));
    settings.max_depth = settings.target_depth + 2 + static_cast<std::uint32_t>(random.below(500));
    settings.sample_period = Duration{50ms} + Duration{random.below(5'000'000'000)};
    settings.window = 1 + static_cast<std::uint32_t>(random.below(window_max));
    settings.adjust = {
        .strategy = random.chance(0.5) ? Strategy::predictive : Strategy::stepwise,
        .max_increase_pct = log_between(random, 1, 1000),
        .max_decrease_pct = log_between(random, 1, 100),
        .min_rate = log_between(random, rate_min, 1e4),
        .max_rate = 0,
        .min_interval = random.chance(0.5) ? 0s : Duration{random.below(10'000'000'000)}};
    settings.adjust.max_rate = settings.adjust.min_rate * log_between(random, 1, 1e4);
    settings.prefill = {.enabled = random.chance(0.5), .lookahead = 20s, .lift_pct = 50};
    if (random.chance(0.5)) {
        settings.backpressure =
            Backpressure{.queue = "c", .moderator_reduction_pct = log_between(random, 1, 90)};
    }
    return settings;
}

std::optional<double> any_depth(Random& random) {
    switch (random.below(12)) {
    case 0: return std::nullopt;
    case 1: return 0.0;
    case 2: return -5.0;
    case 3: return std::numeric_limits<double>::quiet_NaN();
    case 4: return std::numeric_limits<double>::infinity();
    case 5: return 1e9;
    default: return std::floor(random.unit() * 2000);
    }
}

Event any_event(Random& random, TimePoint now) {
    switch (random.below(40)) {
    case 0: return Enabled{log_between(random, 1e-3, 1e6)};
    case 1: return Disabled{};
    case 2: return SettingsChanged{};
    case 3: return Configured{random.chance(0.1) ? std::nan("") : random.unit() * 1e5};
    case 4: {
        SpikesPlanned planned;
        for (std::size_t i = random.below(400); i > 0; --i)
            planned.spikes.push_back({now + Duration{random.below(100'000'000'000)}, 1s});
        return planned;
    }
    default: return Sample{any_depth(random), any_depth(random)};
    }
}

void check_bounds(const Decision& decision, const Settings& settings) {
    const State& state = decision.next;
    REQUIRE(decision.commands.size() <= 8);
    for (const double each :
         {state.rate, state.sent, state.target, state.factor, state.consumption.rate(),
          state.consumption.noise(), state.depths.average()})
        REQUIRE(std::isfinite(each));
    REQUIRE(state.consumption.rate() >= 0);
    REQUIRE(state.factor >= factor_min);
    REQUIRE(state.factor <= 1);
    REQUIRE(state.spikes.size() <= spikes_max);
    REQUIRE(state.depths.size() <= window_max);
    for (const Command& each : decision.commands) {
        REQUIRE_FALSE(to_text(each).empty());
        const auto* set = std::get_if<SetRate>(&each);
        if (set == nullptr) continue;
        REQUIRE(set->total >= settings.adjust.min_rate);
        REQUIRE(set->total <= settings.adjust.max_rate);
    }
}

// A step may be larger only when bounds demand it.
void check_step(const State& before, const Decision& decision, const Settings& settings) {
    for (const Command& each : decision.commands) {
        const auto* set = std::get_if<SetRate>(&each);
        if (set == nullptr) continue;
        const double from = before.rate;
        const double grain = 0.001;
        const double most = from * (1 + (settings.adjust.max_increase_pct / 100)) + grain;
        const double least = from * (1 - (settings.adjust.max_decrease_pct / 100)) - grain;
        REQUIRE((set->total <= most || set->total == settings.adjust.min_rate));
        REQUIRE((set->total >= least || set->total == settings.adjust.max_rate));
    }
}

} // namespace

TEST_CASE("no sequence of events breaks a bound or makes a number that is none") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        Settings settings = any_settings(random);
        State state;
        TimePoint now{};
        for (int i = 0; i < 300; ++i) {
            now += random.chance(0.1) ? Duration{0} : Duration{random.below(6'000'000'000)};
            Event event = any_event(random, now);
            if (i == 0) event = Enabled{100};
            if (std::holds_alternative<SettingsChanged>(event)) settings = any_settings(random);
            const Decision decision = decide(state, event, now, settings);
            check_bounds(decision, settings);
            if (std::holds_alternative<Sample>(event)) check_step(state, decision, settings);
            REQUIRE_FALSE(
                to_text(json::value(to_json(decision.next, settings, {now, {}}))).empty());
            state = decision.next;
        }
    }
}

TEST_CASE("the same history leads to the same commands") {
    const auto play = [] {
        std::string all;
        Random random{7};
        const Settings settings = any_settings(random);
        State state;
        TimePoint now{};
        for (int i = 0; i < 500; ++i) {
            now += settings.sample_period;
            const Event event = i == 0 ? Event{Enabled{100}} : any_event(random, now);
            Decision decision = decide(std::move(state), event, now, settings);
            state = std::move(decision.next);
            for (const Command& each : decision.commands) all += to_text(each) + '\n';
        }
        return all;
    };
    const std::string once = play();
    CHECK(once.size() > 1000);
    CHECK(once == play());
}

#pragma once

#include "kernel/clock.hpp"
#include "kernel/fields.hpp"
#include "kernel/json.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace hive::guard {

enum class Strategy : std::uint8_t {
    predictive, // what is consumed, plus a pull towards the target
    stepwise,   // nothing inside the bracket, a step back towards the target outside
};
std::span<const Named<Strategy>> names_of(Strategy);

struct Adjust {
    Strategy strategy = Strategy::predictive;
    double max_increase_pct = 10; // of the rate, each decision
    double max_decrease_pct = 15;
    double min_rate = 50; // per second, all producers together
    double max_rate = 5000;
    Duration min_interval{}; // between two changes; zero: each sample may bring one
};

struct Prefill { // fills up ahead of a spike
    bool enabled = false;
    Duration lookahead = std::chrono::minutes{2};
    double lift_pct = 20; // of the target
};

struct Backpressure { // from a queue further on
    std::string queue{};
    std::uint32_t high_depth = 500;
    std::uint32_t recovery_depth = 300;
    double moderator_reduction_pct = 15; // each decision
};

// `trafficPolicy.bufferGuard`: keeps the depth of a queue by the rate of whoever fills it.
struct Settings {
    bool enabled = false;
    std::string queue{};
    std::uint32_t target_depth = 200; // items
    std::uint32_t min_depth = 120;
    std::uint32_t max_depth = 280;
    Duration sample_period = std::chrono::seconds{5};
    std::uint32_t window = 4; // samples of the moving average
    Adjust adjust{};
    Prefill prefill{};
    std::optional<Backpressure> backpressure{};
};

void describe(FieldTable& fields, Adjust& adjust);
void describe(FieldTable& fields, Prefill& prefill);
void describe(FieldTable& fields, Backpressure& backpressure);
void describe(FieldTable& fields, Settings& settings);

// Every value, so that nobody has to know the defaults of the other side. bind() reads it back.
json::object to_json(const Settings& settings);

inline constexpr Duration period_min = std::chrono::milliseconds{50};
// One item more and one less is what every queue does between two looks.
inline constexpr std::uint32_t room_min = 2; // items between the target and either end
inline constexpr std::uint32_t window_max = 60;
// Percentages of nothing are nothing: from a rate of zero no step leads back.
inline constexpr double rate_min = 0.01;

} // namespace hive::guard

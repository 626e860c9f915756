#pragma once

#include "guard/consumption.hpp"
#include "guard/depths.hpp"
#include "guard/law.hpp"
#include "kernel/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hive::guard {

enum class Phase : std::uint8_t {
    disabled,     // the producers run as configured
    prefill,      // a spike is near: the target is raised
    steady,       // within the bracket
    draining,     // above it
    filling,      // below it
    backpressure, // a queue further on is too full: everybody slows down
    recovery,     // it no longer is: everybody returns
};
std::string_view name_of(Phase phase) noexcept; // `STEADY`, as status and metrics say it

struct Spike {
    TimePoint starts{};
    Duration lasts{};
};
inline constexpr std::size_t spikes_max = 256;

// Why the bracket is left, or cannot be kept; each is told once an episode.
enum class Cause : std::uint8_t {
    max_rate,   // the consumers take more than maxRatePerSec
    min_rate,   // they take less than minRatePerSec
    step_limit, // the percentage limits are slower than what happened
    narrow,     // chance alone moves the depth by more than the bracket allows
    change,     // the consumption changed between two looks
    missing,    // the depth was not known for a while
    lifted,     // ahead of a spike the target is too close to the end of the bracket
    left,       // none of these: what the guard did last is told instead
};
std::string_view name_of(Cause cause) noexcept;

// All that the guard remembers. A value: copy it, compare what two histories led to.
struct State {
    Phase phase = Phase::disabled;
    TimePoint since{};    // of the phase
    bool on_duty = false; // between Enabled and Disabled, whatever the settings say
    std::string queue{};  // whose depths these are

    double configured = 0; // per second: what the producers run at without the guard
    double rate = 0;       // what they were told
    double rate_before = 0;
    double sent = 0; // items up to `sent_at`
    TimePoint sent_at{};
    std::optional<TimePoint> adjusted_at{};
    bool unsaid = false; // the phase changed while the interval forbade to say so
    Rule rule = Rule::hold;

    Depths depths{};
    Depths behind{}; // of the queue that presses back
    Consumption consumption{};
    double target = 0; // of the last decision, raised or not
    double factor = 1; // of what the moderator is configured to let pass
    std::vector<Spike> spikes{};

    unsigned missed = 0; // samples in a row without a depth
    unsigned missed_behind = 0;
    bool settled = false;      // has been within the bracket since it began
    unsigned inside = 0;       // samples in a row within it
    unsigned outside = 0;      // samples in a row outside
    unsigned at_bound = 0;     // samples in a row at a bound of the rate
    unsigned since_limit = 99; // samples since a percentage limit spoke
    unsigned since_gap = 99;   // samples since a depth was missing
    unsigned since_lift = 99;  // samples since the target was raised
    std::uint8_t told = 0;     // causes of this episode, one bit each
};

// One look at the queues. A depth that could not be read is missing, never zero.
struct Sample {
    std::optional<double> depth{};
    std::optional<double> behind{}; // of the backpressure queue
};
struct Enabled {           // the swarm works
    double configured = 0; // per second, all producers together
};
struct Disabled {};        // it stops, or guards are switched off
struct SettingsChanged {}; // the settings that come with this event differ from the last ones
struct SpikesPlanned {     // replaces what was planned before
    std::vector<Spike> spikes{};
};
struct Configured { // somebody set what the producers are configured to while the guard is on duty
    double total = 0; // per second
};
using Event = std::variant<Sample, Enabled, Disabled, SettingsChanged, SpikesPlanned, Configured>;

struct SetRate {
    double total = 0; // per second; share() splits it
    double from = 0;
    double depth = 0;    // smoothed
    double estimate = 0; // of the consumption, per second
    double target = 0;
    Phase phase = Phase::steady;
    Rule rule = Rule::hold;
};
struct SetModeratorFactor { // of what the moderator is configured to let pass
    double factor = 1;
};
struct RestoreStatic { // hands the configured rates back
    double from = 0;
    double to = 0;
};
struct Warn {
    std::string code{};
    std::string text{};
};
struct Note {
    std::string code{};
    std::string text{};
};
using Command = std::variant<SetRate, SetModeratorFactor, RestoreStatic, Warn, Note>;

struct Decision {
    State next{};
    std::vector<Command> commands{};
};

} // namespace hive::guard

#pragma once

#include "run/sight.hpp"
#include "telemetry/threshold.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::run {

struct CourseOptions {
    std::optional<Duration> length{};          // none: until nobody has anything to send
    Duration drain = std::chrono::seconds{10}; // for what is under way when the load ends
    Duration look_every = std::chrono::milliseconds{250};
    std::vector<telemetry::Threshold> thresholds{}; // those that end a run are looked at on the way
};

enum class Phase : std::uint8_t {
    loading,
    draining, // producers hold; what is under way is waited for
    over,
};

enum class Ending : std::uint8_t { none, time, out_of_data, threshold, interrupted };

// How far a run is. Time and what is seen are passed in.
class Course {
public:
    Course(CourseOptions options, TimePoint start);

    // Looks at what is now; says whether the phase has changed.
    bool see(const Sight& sight, const telemetry::Summary& summary);
    void interrupt(TimePoint now); // the load ends now

    Phase phase() const noexcept { return phase_; }
    Ending ending() const noexcept { return ending_; }
    const std::string& broken() const noexcept { return broken_; } // the threshold that ended it
    TimePoint load_ended() const noexcept { return ended_; }
    bool drained() const noexcept { return drained_; } // nothing was left when it was over
    TimePoint next_look(TimePoint now) const;

private:
    bool rests(const Sight& sight);
    void end_load(Ending ending, TimePoint at);

    CourseOptions options_;
    TimePoint start_;
    TimePoint ended_{};
    Phase phase_ = Phase::loading;
    Ending ending_ = Ending::none;
    std::string broken_{};
    bool drained_ = false;
    std::optional<std::uint64_t> processed_at_rest_{}; // by all bees, when all seemed at rest
};

} // namespace hive::run

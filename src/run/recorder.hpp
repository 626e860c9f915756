#pragma once

#include "report/run.hpp"
#include "run/totals.hpp"

#include <optional>
#include <string>

namespace hive::run {

// Makes moments and a summary of what it is shown. Sights come in the order of their time.
class Recorder {
public:
    struct Subject {
        std::string scenario{};
        std::string swarm{};
        Timestamp started_at{};
        TimePoint start{};
        std::optional<Duration> planned{};
    };
    explicit Recorder(Subject subject);

    // The counts up to now; a moment more once `window` has passed since the last one.
    void see(const Sight& sight);
    // The load is over: rates are counted up to here.
    void load_ended(TimePoint at) { ended_ = at; }
    // The last sight is in: what is left of a window becomes a moment too.
    void finish(const Sight& sight);

    bool measured() const noexcept { return measured_; }            // some bee measures calls
    std::uint64_t left_over() const noexcept { return left_over_; } // items that nobody took

    report::Run& run() noexcept { return run_; }
    const report::Run& run() const noexcept { return run_; }

    static constexpr Duration window = std::chrono::seconds{1};

private:
    void count(const Sight& sight, const Totals& totals);
    void add_moment(const Sight& sight, Totals totals);
    double seconds_until(TimePoint at) const;

    Subject subject_;
    report::Run run_{};
    Totals before_{}; // at the end of the last moment
    TimePoint before_at_;
    bool measured_ = false;
    std::uint64_t left_over_ = 0;
    TimePoint last_done_{};
    TimePoint before_last_done_{};
    std::optional<TimePoint> ended_{};
};

} // namespace hive::run

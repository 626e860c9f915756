#pragma once

#include "plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::plan {

// Something that is due.
struct Due {
    std::size_t step = 0; // of the plan
    bool begins = false;  // the first time in this run
    double share = 1;     // of a ramp: how far it is, up to 1
};

struct Progress {
    std::string last_step{}; // id of the step that began last; empty: none
    std::string next_step{};
    std::optional<Duration> next_in{};
    Duration elapsed{}; // of this run
    std::uint32_t run = 1;
    std::uint32_t runs = 1;
    std::size_t fired = 0; // steps of this run that have begun
    std::size_t steps = 0;
    bool complete = false;
};
json::object to_json(const Progress& progress);

// How far a plan is. Its clock goes on while it runs and stands still while it does not; times are
// those of one clock and come in order.
class Timeline {
public:
    Timeline() = default; // of an empty plan
    explicit Timeline(Plan plan) : plan_{std::move(plan)} {}

    const Plan& plan() const noexcept { return plan_; }
    void run(TimePoint now); // again after the end: from the beginning
    void pause(TimePoint now);
    bool running() const noexcept { return since_.has_value(); }
    bool complete() const noexcept { return !plan_.empty() && run_ >= plan_.runs; }

    // What has become due, in order. A ramp is due again and again until its end.
    std::vector<Due> due(TimePoint now);
    // When to ask again; nothing while it stands still or once it is complete.
    std::optional<TimePoint> next() const;

    Progress progress(TimePoint now) const;
    // Until the next spike begins, and how long it lasts; in this run or, if that has none left, in
    // the next one.
    struct Ahead {
        Duration in;
        Duration lasts;
    };
    std::optional<Ahead> next_spike(TimePoint now) const;

    static constexpr Duration ramp_every = std::chrono::milliseconds{100};

private:
    Duration elapsed(TimePoint now) const; // of all runs
    Duration begun() const { return plan_.length * run_; }
    void fire_steps(Duration at, std::vector<Due>& out);
    void move_ramps(Duration at, std::vector<Due>& out);

    struct Active {
        std::size_t step;
        Duration moved_at; // in this run
    };
    Plan plan_{};
    std::optional<TimePoint> since_{}; // it has been running; none: it stands
    Duration before_{};                // that had passed until then
    std::uint32_t run_ = 0;
    std::size_t next_ = 0; // the first step of this run that has not begun
    std::vector<Active> ramps_{};
};

} // namespace hive::plan

#pragma once

#include "kernel/random.hpp"
#include "pace/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hive::pace {

enum class Arrivals : std::uint8_t {
    even,    // the n-th is due when the integral of the rate reaches n
    poisson, // the same mean, exponential gaps
};

// What happens to due times that nobody took within `max_lag`.
enum class Late : std::uint8_t {
    catch_up, // those older than `max_lag` are dropped, the others come at once
    skip,     // all but the newest are dropped
};

// Moves each even due time a little later, never past the next one: order and counts stay as they
// were. Poisson arrivals need none.
struct Jitter {
    enum class Kind : std::uint8_t { none, sequence, periodic }; // periodic: alike in every cycle
    Kind kind = Kind::none;
    Duration max{};
};

struct ScheduleOptions {
    Arrivals arrivals = Arrivals::even;
    Jitter jitter{};
    Late late = Late::catch_up;
    Duration max_lag = std::chrono::seconds{60};
    std::uint64_t max_messages = 0; // 0: no end
    std::uint64_t seed = 1;         // of Poisson gaps and jitter
};

// When things are due: an open model that never asks how the last one went. Time is passed in and
// may come late or in jumps; a schedule neither drifts nor bursts beyond what `late` allows. By any
// moment floor(integral) items have been due. Rate 0 stops it: time runs on, nothing piles up.
class Schedule {
public:
    Schedule(Shape shape, ScheduleOptions options, TimePoint start);

    // Appends at most `max` due times up to `now`, in order; says how many.
    std::size_t due(TimePoint now, std::size_t max, std::vector<TimePoint>& out);

    // When the next one is due, perhaps in the past; nothing while paused, at the end of a finite
    // run, or when the rate stays 0.
    std::optional<TimePoint> next() const;

    // Another shape from now on, the way to the next item kept as far as it had come. A shape whose
    // cycle is as long as before keeps its place in the cycle, so a sine that only grows stays in
    // phase. Take what is due first: what is overdue here counts as dropped.
    void change(Shape shape, TimePoint now);

    // The shape stands still in between; nothing is owed for the pause.
    void pause(TimePoint now);
    void resume(TimePoint now);

    void reset(TimePoint now);              // as if it had been made now
    void limit(std::uint64_t max_messages); // counted from the last reset; 0: no end

    double rate(TimePoint now) const; // 0: it stands, until the shape rises again
    bool paused() const noexcept { return paused_at_.has_value(); }
    bool finished() const noexcept;
    std::uint64_t taken() const noexcept { return taken_; }
    std::uint64_t dropped() const noexcept { return dropped_; }
    const Shape& shape() const noexcept { return shape_; }

private:
    double passed(TimePoint now) const; // the integral
    void aim_after(double passed);      // the first due time past that point of the integral
    void step();
    void find_next();
    std::optional<TimePoint> moment(double count, Place& near) const;
    TimePoint jittered(TimePoint at);
    void drop_late(TimePoint now);
    double gap(); // in the integral

    Shape shape_;
    ScheduleOptions options_;
    TimePoint origin_;
    Random random_;
    Place place_{};
    Place ahead_{}; // where the one after the next was found; only with jitter
    double base_ = 0;
    std::uint64_t index_ = 0; // the next one is due at base_ + index_, or at base_ with Poisson
    std::uint64_t taken_ = 0;
    std::uint64_t dropped_ = 0;
    std::optional<TimePoint> next_{};
    std::optional<TimePoint> paused_at_{};
};

} // namespace hive::pace

#pragma once

#include "bees/moderator/mode.hpp"
#include "kernel/random.hpp"
#include "pace/limiter.hpp"

#include <optional>
#include <string>

namespace hive::bees {

// How many items may pass now, by a mode that has passed its check.
class Gate {
public:
    static Result<Gate> open(const ModeConfig& mode, TimePoint now);

    // Another mode from now on. What was saved stays, and so does the place in a cycle of the same
    // length, or in any shape of which only another part is admitted.
    Status change(const ModeConfig& mode, TimePoint now);

    std::size_t allowed(TimePoint now);
    void take(std::size_t count, TimePoint now); // at most what was allowed
    // When one may pass; nothing when that is now and always, or never.
    std::optional<TimePoint> next(TimePoint now);

    bool stopped(TimePoint now) const; // the rate is 0
    void report(TimePoint now, json::object& into);

private:
    Gate(const ModeConfig& mode, pace::Limiter limiter);
    bool open_to_all() const noexcept {
        return mode_.type == ModeType::pass_through && mode_.admit_pct == 100;
    }
    bool jitters() const noexcept { return mode_.jitter.kind != worker::JitterKind::none; }
    std::string why_stopped(TimePoint now);

    ModeConfig mode_;
    pace::Limiter limiter_;
    std::optional<pace::Pattern> pattern_;
    Random random_;
    TimePoint not_before_{}; // with jitter: when the next one passes
};

} // namespace hive::bees

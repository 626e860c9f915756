#include "bees/moderator/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hive::bees {
namespace {

// What falls due while an item is held back by its jitter must not be lost.
pace::Saving saving_of(const ModeConfig& mode) {
    pace::Saving saving{.burst = mode.burst};
    if (mode.jitter.kind != worker::JitterKind::none) {
        saving.slack = std::max(saving.slack, mode.jitter.max);
    }
    return saving;
}

bool same_saving(const ModeConfig& a, const ModeConfig& b) {
    return a.burst == b.burst && a.jitter == b.jitter;
}

} // namespace

Gate::Gate(const ModeConfig& mode, pace::Limiter limiter)
    : mode_{mode}, limiter_{std::move(limiter)}, pattern_{pattern_of(mode)},
      random_{mode.seed.value_or(1)} {}

Result<Gate> Gate::open(const ModeConfig& mode, TimePoint now) {
    auto shape = shape_of(mode);
    if (!shape) return fail(shape.error());
    return Gate{mode, pace::Limiter{*std::move(shape), saving_of(mode), now}};
}

Status Gate::change(const ModeConfig& mode, TimePoint now) {
    if (mode == mode_) return {};
    auto shape = shape_of(mode);
    if (!shape) return fail(shape.error());
    ModeConfig admits = mode_;
    admits.admit_pct = mode.admit_pct;
    if (admits == mode) {
        limiter_.rescale(*std::move(shape), now);
    } else if (same_saving(mode, mode_)) {
        limiter_.change(*std::move(shape), now);
    } else {
        limiter_ = pace::Limiter{*std::move(shape), saving_of(mode), now};
    }
    if (mode.seed != mode_.seed) random_ = Random{mode.seed.value_or(1)};
    mode_ = mode;
    pattern_ = pattern_of(mode);
    not_before_ = {};
    return {};
}

std::size_t Gate::allowed(TimePoint now) {
    if (open_to_all()) return std::numeric_limits<std::size_t>::max();
    if (!jitters()) return limiter_.allowed(now);
    return now < not_before_ ? 0 : std::min<std::size_t>(limiter_.allowed(now), 1);
}

// Jitter holds the next one back for a part of the way to the one after it, so rate and order stay.
void Gate::take(std::size_t count, TimePoint now) {
    if (open_to_all() || count == 0) return;
    limiter_.take(count);
    if (!jitters()) return;
    const auto due = limiter_.next(now);
    if (!due || *due <= now) return; // late already
    const double rate = limiter_.rate(*due);
    const Duration most =
        rate > 0 ? std::min(mode_.jitter.max, pace::from_seconds(1 / rate)) : mode_.jitter.max;
    not_before_ = *due + pace::from_seconds(pace::seconds(most) * random_.unit());
}

std::optional<TimePoint> Gate::next(TimePoint now) {
    if (open_to_all()) return std::nullopt;
    const auto due = limiter_.next(now);
    return due && jitters() ? std::max(*due, not_before_) : due;
}

bool Gate::stopped(TimePoint now) const {
    return !open_to_all() && limiter_.rate(now) <= 0;
}

std::string Gate::why_stopped(TimePoint now) {
    const auto due = limiter_.next(now);
    if (!due) return "the rate is 0: nothing passes until the mode is another one";
    return fmt::format(
        "the rate is 0: the next item may pass in {:.1f} s", pace::seconds(*due - now));
}

void Gate::report(TimePoint now, json::object& into) {
    into["mode"] = name_of(mode_.type);
    if (open_to_all()) return;
    into["targetRatePerSec"] = limiter_.rate(now);
    if (mode_.admit_pct < 100) into["admitPct"] = mode_.admit_pct;
    if (pattern_) {
        const auto segment = pace::segment_at(*pattern_, limiter_.since_start(now));
        if (segment) into["segment"] = pattern_->segments[*segment].id;
    }
    if (stopped(now)) into["throttled"] = why_stopped(now);
}

} // namespace hive::bees

#include "pace/limiter.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hive::pace {
namespace {

constexpr double hair = 1e-9;   // an item due exactly now must not wait for the last bit
constexpr double forever = 3e9; // seconds

} // namespace

void Limiter::earn(TimePoint now) {
    if (now <= seen_) return;
    const double total = shape_.integral(now - origin_);
    const double in_slack = total - shape_.integral(now - saving_.slack - origin_);
    level_ += total - shape_.integral(seen_ - origin_);
    // One above the slack: a part of an item that was left over must not be lost.
    level_ = std::min(level_, std::max(saving_.burst, 1 + in_slack));
    seen_ = now;
}

std::size_t Limiter::allowed(TimePoint now) {
    earn(now);
    return static_cast<std::size_t>(std::floor(level_ + hair));
}

void Limiter::take(std::size_t count) {
    assert(static_cast<double>(count) <= level_ + 2 * hair);
    level_ = std::max(0.0, level_ - static_cast<double>(count));
}

std::optional<TimePoint> Limiter::next(TimePoint now) {
    if (allowed(now) > 0) return now;
    const auto at = shape_.when(shape_.integral(now - origin_) + (1 - level_), place_);
    if (!at || *at > forever) return std::nullopt;
    // Rounded up: whoever wakes at that moment finds the item.
    return std::max(now, origin_ + from_seconds(*at) + Duration{1});
}

void Limiter::change(Shape shape, TimePoint now) {
    const bool same_cycle =
        shape.periodic() && shape_.periodic() && shape.cycle_seconds() == shape_.cycle_seconds();
    earn(now);
    become(std::move(shape), same_cycle ? origin_ : now, now);
}

void Limiter::rescale(Shape shape, TimePoint now) {
    earn(now);
    become(std::move(shape), origin_, now);
}

void Limiter::become(Shape shape, TimePoint origin, TimePoint now) {
    shape_ = std::move(shape);
    origin_ = origin;
    place_ = {};
    // Whoever sets the rate to 0 wants nothing more to pass, not even what was saved up before.
    const bool stopped = rate(now) == 0 && !shape_.when(shape_.integral(now - origin_) + 1, place_);
    if (stopped) level_ = 0;
}

} // namespace hive::pace

#include "pace/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace hive::pace {
namespace {

constexpr double forever = 3e9; // seconds; about a century, far inside what a TimePoint can hold

// A number in [0, 1) that depends on nothing but its arguments.
double hashed(std::uint64_t seed, std::uint64_t index) {
    return Random{seed ^ (index * 0x9e3779b97f4a7c15U)}.unit();
}

} // namespace

Schedule::Schedule(Shape shape, ScheduleOptions options, TimePoint start)
    : shape_{std::move(shape)}, options_{options}, origin_{start}, random_{options.seed} {
    reset(start);
}

void Schedule::reset(TimePoint now) {
    origin_ = now;
    random_ = Random{options_.seed};
    taken_ = 0;
    dropped_ = 0;
    place_ = {};
    if (paused_at_) paused_at_ = now;
    aim_after(0);
}

void Schedule::limit(std::uint64_t max_messages) {
    options_.max_messages = max_messages;
}

bool Schedule::finished() const noexcept {
    return options_.max_messages != 0 && taken_ >= options_.max_messages;
}

double Schedule::passed(TimePoint now) const {
    return shape_.integral(paused_at_.value_or(now) - origin_);
}

double Schedule::rate(TimePoint now) const {
    return shape_.rate(paused_at_.value_or(now) - origin_);
}

double Schedule::gap() {
    return options_.arrivals == Arrivals::even ? 1 : -std::log1p(-random_.unit());
}

void Schedule::aim_after(double passed) {
    base_ = passed;
    index_ = 0;
    next_.reset();
    step();
}

void Schedule::step() {
    if (options_.arrivals == Arrivals::even)
        ++index_;
    else
        base_ += gap();
    const auto last = next_;
    find_next();
    // Two that share a nanosecond come in order, whatever the last bit of a division says.
    if (last && next_ && *next_ < *last) next_ = last;
}

std::optional<TimePoint> Schedule::moment(double count, Place& near) const {
    const auto at = shape_.when(count, near);
    if (!at || *at > forever) return std::nullopt;
    return origin_ + from_seconds(*at);
}

void Schedule::find_next() {
    auto at = moment(base_ + static_cast<double>(index_), place_);
    const bool moves = options_.jitter.kind != Jitter::Kind::none;
    if (at && moves && options_.arrivals == Arrivals::even) at = jittered(*at);
    next_ = at;
}

TimePoint Schedule::jittered(TimePoint at) {
    const double count = base_ + static_cast<double>(index_);
    const auto following = moment(count + 1, ahead_);
    const Duration room =
        following ? std::min(options_.jitter.max, *following - at) : options_.jitter.max;
    auto key = static_cast<std::uint64_t>(count);
    if (options_.jitter.kind == Jitter::Kind::periodic && shape_.periodic()) {
        key =
            static_cast<std::uint64_t>(std::max(0.0, count - place_.cycle * shape_.cycle_items()));
    }
    return at + from_seconds(hashed(options_.seed, key) * seconds(std::max(room, Duration{})));
}

std::optional<TimePoint> Schedule::next() const {
    if (paused_at_ || finished()) return std::nullopt;
    return next_;
}

void Schedule::drop_late(TimePoint now) {
    if (!next_ || *next_ >= now - options_.max_lag) return;
    const bool keep_newest = options_.late == Late::skip;
    const double before = base_ + static_cast<double>(index_);
    const double limit = passed(keep_newest ? now : now - options_.max_lag);
    if (limit < before) return;
    // Whole items only, so that those which follow stay where they would have been.
    double skipped = std::floor(limit - before);
    if (!keep_newest) skipped += 1;
    dropped_ += static_cast<std::uint64_t>(skipped);
    if (options_.arrivals == Arrivals::even)
        index_ += static_cast<std::uint64_t>(skipped);
    else
        base_ = keep_newest ? limit : limit + gap();
    find_next();
}

std::size_t Schedule::due(TimePoint now, std::size_t max, std::vector<TimePoint>& out) {
    if (paused_at_ || finished()) return 0;
    drop_late(now);
    if (options_.max_messages != 0) {
        max =
            static_cast<std::size_t>(std::min<std::uint64_t>(max, options_.max_messages - taken_));
    }
    std::size_t count = 0;
    for (; count < max && next_ && *next_ <= now; ++count) {
        out.push_back(*next_);
        step();
    }
    taken_ += count;
    return count;
}

void Schedule::change(Shape shape, TimePoint now) {
    const TimePoint at = paused_at_.value_or(now);
    double left = base_ + static_cast<double>(index_) - passed(at);
    if (left <= 0 && next_) {
        const double missed = std::floor(-left) + 1;
        dropped_ += static_cast<std::uint64_t>(missed);
        left += missed;
    }
    const bool same_cycle =
        shape.periodic() && shape_.periodic() && shape.cycle_seconds() == shape_.cycle_seconds();
    if (!same_cycle) origin_ = at;
    shape_ = std::move(shape);
    place_ = {};
    ahead_ = {};
    base_ = passed(at) + left - (options_.arrivals == Arrivals::even ? 1 : 0);
    index_ = options_.arrivals == Arrivals::even ? 1 : 0;
    find_next();
}

void Schedule::pause(TimePoint now) {
    if (!paused_at_) paused_at_ = now;
}

void Schedule::resume(TimePoint now) {
    if (!paused_at_) return;
    origin_ += now - *paused_at_;
    paused_at_.reset();
    find_next();
}

} // namespace hive::pace

#pragma once

#include "pace/shape.hpp"

#include <cstddef>
#include <optional>

namespace hive::pace {

// What may be saved up while nobody came: `burst` items, or one more than fall into `slack`, if
// that is more. The slack lets a caller that looks every few milliseconds reach a high rate.
struct Saving {
    double burst = 1;
    Duration slack = std::chrono::milliseconds{10};
};

// How many items may pass now, by a shape. Rate 0 lets nothing pass.
class Limiter {
public:
    Limiter(Shape shape, Saving saving, TimePoint start)
        : shape_{std::move(shape)}, saving_{saving}, origin_{start}, seen_{start} {}

    std::size_t allowed(TimePoint now);
    void take(std::size_t count); // at most what was allowed

    // When at least one may pass; nothing when the rate stays 0.
    std::optional<TimePoint> next(TimePoint now);

    // Another shape from now on; what was saved stays, unless nothing is to pass any more. The
    // place in a cycle of the same length is kept.
    void change(Shape shape, TimePoint now);
    // The same shape at other rates: it goes on where it is.
    void rescale(Shape shape, TimePoint now);

    double rate(TimePoint now) const { return shape_.rate(now - origin_); }
    Duration since_start(TimePoint now) const noexcept { return now - origin_; } // of the shape
    const Shape& shape() const noexcept { return shape_; }

private:
    void earn(TimePoint now);
    void become(Shape shape, TimePoint origin, TimePoint now);

    Shape shape_;
    Saving saving_;
    TimePoint origin_;
    TimePoint seen_;
    Place place_{};
    double level_ = 0;
};

} // namespace hive::pace

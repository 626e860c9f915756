#pragma once

#include <chrono>

namespace hive {

using Duration = std::chrono::nanoseconds;

// Never goes back; says nothing about the time of day. For deadlines, rates and latencies.
struct MonotonicTag {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<MonotonicTag>;
    static constexpr bool is_steady = true;
};
using TimePoint = std::chrono::time_point<MonotonicTag, Duration>;

// UTC, as written into messages and the journal.
using Timestamp = std::chrono::sys_time<Duration>;

class Clock {
public:
    virtual ~Clock() = default;
    virtual TimePoint now() const = 0;
    virtual Timestamp wall() const = 0;
};

// The machine's clocks. Only shells construct one; pure code is handed a time.
class SystemClock final : public Clock {
public:
    TimePoint now() const override;
    Timestamp wall() const override;
};

// Moved by hand: both clocks advance together.
class VirtualClock final : public Clock {
public:
    explicit VirtualClock(Timestamp start = Timestamp{std::chrono::seconds{1'750'000'000}})
        : start_{start} {}

    TimePoint now() const override { return TimePoint{elapsed_}; }
    Timestamp wall() const override { return start_ + elapsed_; }
    void advance(Duration by) { elapsed_ += by; }

private:
    Timestamp start_;
    Duration elapsed_{0};
};

} // namespace hive

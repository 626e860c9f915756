#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hive::report {

enum class Unit : std::uint8_t { rate, micros, count };

// Short, for the side of a chart: 4,000 or 50 ms.
std::string tick_text(Unit unit, double value);
// As people read it elsewhere: 4,012/s or 48.9 ms.
std::string unit_text(Unit unit, double value);

// The side of a chart from bottom to top: round numbers that hold all values.
class Axis {
public:
    static Axis linear(double most);
    static Axis log(double least, double most); // both above 0

    double share(double value) const; // 0 at the bottom, 1 at the top
    bool is_log() const noexcept { return log_; }
    double bottom() const noexcept { return bottom_; }
    double top() const noexcept { return top_; }
    const std::vector<double>& ticks() const noexcept { return ticks_; }

private:
    double bottom_ = 0;
    double top_ = 1;
    bool log_ = false;
    std::vector<double> ticks_{};
};

// Whole steps of time up to `end`, at most about eight.
std::vector<double> time_ticks(double end_sec);

} // namespace hive::report

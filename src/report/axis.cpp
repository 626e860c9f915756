#include "report/axis.hpp"

#include "report/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hive::report {
namespace {

// 1, 2 or 5 times a power of ten, not below.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * 0.999'999) return factor * power;
    }
    return 10 * power;
}

// As few digits as a round number has.
std::string short_micros(double us) {
    if (us >= 1e6) return number_text(us / 1e6) + " s";
    if (us >= 1e3) return number_text(us / 1e3) + " ms";
    return number_text(us) + " µs";
}

} // namespace

std::string tick_text(Unit unit, double value) {
    if (unit == Unit::micros) return value == 0 ? "0" : short_micros(value);
    return number_text(value);
}

std::string unit_text(Unit unit, double value) {
    switch (unit) {
    case Unit::rate: return rate_text(value);
    case Unit::micros: return micros_text(value);
    case Unit::count: return number_text(value);
    }
    return {};
}

Axis Axis::linear(double most) {
    Axis axis;
    const double reach = std::isfinite(most) && most > 0 ? std::min(most, 1e15) : 1;
    const double step = round_step(reach / 4);
    const double steps = std::ceil(reach / step * 0.999'999);
    axis.top_ = step * steps;
    for (int i = 0; i <= static_cast<int>(steps); ++i) axis.ticks_.push_back(step * i);
    return axis;
}

Axis Axis::log(double least, double most) {
    Axis axis;
    axis.log_ = true;
    const double low = std::clamp(least, 1e-3, 1e14);
    const double high = std::clamp(most, low * 1.001, 1e15);
    axis.bottom_ = std::pow(10, std::floor(std::log10(low) + 1e-9));
    axis.top_ = round_step(high);
    // A decade that begins well below the least value would leave the chart half empty.
    for (const double factor : {5.0, 2.0}) {
        if (axis.bottom_ * factor > low) continue;
        axis.bottom_ *= factor;
        break;
    }
    const bool many = std::log10(axis.top_ / axis.bottom_) > 2.5;
    for (double decade = std::pow(10, std::floor(std::log10(axis.bottom_) + 1e-9));
         decade <= axis.top_ * 1.001; decade *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = decade * factor;
            if (many && factor > 1) break;
            if (tick >= axis.bottom_ * 0.999 && tick <= axis.top_ * 1.001)
                axis.ticks_.push_back(tick);
        }
    }
    return axis;
}

double Axis::share(double value) const {
    if (!log_) return std::clamp(value / top_, 0.0, 1.0);
    if (value <= bottom_) return 0;
    return std::clamp(std::log(value / bottom_) / std::log(top_ / bottom_), 0.0, 1.0);
}

std::vector<double> time_ticks(double end_sec) {
    constexpr std::array<double, 17> steps{0.1, 0.2, 0.5, 1,   2,     5,     10,    15,    30,
                                           60,  120, 300, 600, 1'800, 3'600, 7'200, 14'400};
    const double end = std::clamp(end_sec, 0.1, 1e9);
    double step = std::ceil(end / 8 / 14'400) * 14'400;
    if (const auto* fits = std::ranges::find_if(steps, [&](double s) { return end / s <= 9; });
        fits != steps.end())
        step = *fits;
    std::vector<double> ticks;
    for (int i = 0; step * i <= end * 1.000'001; ++i) ticks.push_back(step * i);
    return ticks;
}

} // namespace hive::report

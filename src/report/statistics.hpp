#pragma once

#include "kernel/random.hpp"

#include <optional>
#include <span>
#include <vector>

namespace hive::report {

// Where the truth lies with a confidence of 95 %.
struct Interval {
    double low = 0;
    double high = 0;

    bool operator==(const Interval&) const = default;
};

// How far the mean of `b` is from that of `a`, by what differs within each (Welch's t). Nothing
// with less than two values on a side.
std::optional<Interval> difference_of_means(std::span<const double> a, std::span<const double> b);

// The windows of a run for one quantity: it is the sum of `parts` over the sum of `wholes`.
struct Windows {
    std::vector<double> parts{};
    std::vector<double> wholes{};

    void add(double part, double whole);
    std::size_t size() const noexcept { return parts.size(); }
    double value() const; // 0 without windows
};

inline constexpr std::size_t windows_least = 10; // fewer say nothing about their noise

// How far `b` is from `a`, by drawing blocks of neighbouring windows again and again: seconds
// beside each other are alike, and blocks keep that. `paired`: the windows of both belong together
// one by one, so what a plan did to both of them is no noise. Nothing when there are too few.
std::optional<Interval>
difference_by_blocks(const Windows& a, const Windows& b, bool paired, Random& random);

} // namespace hive::report

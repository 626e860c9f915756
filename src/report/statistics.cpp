#include "report/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hive::report {
namespace {

// Student's t at 97.5 %, by degrees of freedom.
double student(double freedom) {
    constexpr std::array table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                               2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                               2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
    if (freedom > 20) return 1.96 + 2.5 / freedom;
    const auto row = static_cast<std::size_t>(std::max(std::floor(freedom), 1.0));
    return table[std::min(row, table.size()) - 1];
}

struct Spread {
    double mean = 0;
    double of_mean = 0; // the variance of the mean
};

Spread spread_of(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, squares / (count - 1) / count};
}

// Blocks from anywhere, going round at the end, until there are as many windows as before.
void draw(std::vector<std::size_t>& indices, std::size_t block, Random& random) {
    const std::size_t count = indices.size();
    for (std::size_t i = 0; i < count;) {
        std::size_t at = random.below(count);
        for (std::size_t k = 0; k < block && i < count; ++k, ++i) {
            indices[i] = at;
            at = at + 1 == count ? 0 : at + 1;
        }
    }
}

double value_at(const Windows& windows, std::span<const std::size_t> indices) {
    double part = 0;
    double whole = 0;
    for (const std::size_t i : indices) {
        part += windows.parts[i];
        whole += windows.wholes[i];
    }
    return whole > 0 ? part / whole : 0;
}

std::size_t block_of(std::size_t windows) {
    return static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(windows)))) + 1;
}

} // namespace

std::optional<Interval> difference_of_means(std::span<const double> a, std::span<const double> b) {
    if (a.size() < 2 || b.size() < 2) return std::nullopt;
    const Spread first = spread_of(a);
    const Spread second = spread_of(b);
    const double both = first.of_mean + second.of_mean;
    const double apart = second.mean - first.mean;
    if (!(both > 0)) return Interval{apart, apart};
    const double freedom = both * both /
                           (first.of_mean * first.of_mean / static_cast<double>(a.size() - 1) +
                            second.of_mean * second.of_mean / static_cast<double>(b.size() - 1));
    const double reach = student(freedom) * std::sqrt(both);
    return Interval{apart - reach, apart + reach};
}

void Windows::add(double part, double whole) {
    parts.push_back(part);
    wholes.push_back(whole);
}

double Windows::value() const {
    const double whole = std::accumulate(wholes.begin(), wholes.end(), 0.0);
    return whole > 0 ? std::accumulate(parts.begin(), parts.end(), 0.0) / whole : 0;
}

std::optional<Interval>
difference_by_blocks(const Windows& a, const Windows& b, bool paired, Random& random) {
    if (std::min(a.size(), b.size()) < windows_least) return std::nullopt;
    constexpr std::size_t draws = 1'000;
    const std::size_t shared = std::min(a.size(), b.size());
    std::vector<std::size_t> first(paired ? shared : a.size());
    std::vector<std::size_t> second(paired ? shared : b.size());
    std::vector<double> apart;
    apart.reserve(draws);
    for (std::size_t i = 0; i < draws; ++i) {
        draw(first, block_of(first.size()), random);
        if (paired)
            second = first;
        else
            draw(second, block_of(second.size()), random);
        apart.push_back(value_at(b, second) - value_at(a, first));
    }
    std::ranges::sort(apart);
    return Interval{apart[draws / 40], apart[draws - 1 - draws / 40]};
}

} // namespace hive::report

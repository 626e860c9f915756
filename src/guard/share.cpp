#include "guard/share.hpp"

#include <algorithm>
#include <cmath>

namespace hive::guard {
namespace {

std::vector<double> scaled(double scale, std::span<const Producer> producers, bool alike) {
    std::vector<double> rates;
    rates.reserve(producers.size());
    for (const Producer& each : producers) {
        const double part = scale * (alike ? 1 : std::max(each.configured, 0.0));
        rates.push_back(std::clamp(part, each.min, std::max(each.min, each.max)));
    }
    return rates;
}

double sum_of(std::span<const double> rates) {
    double sum = 0;
    for (const double each : rates) sum += each;
    return sum;
}

} // namespace

std::vector<double> share(double total, std::span<const Producer> producers) {
    // Nobody was to send anything: then all are alike.
    const bool alike =
        std::ranges::none_of(producers, [](const Producer& each) { return each.configured > 0; });
    double least = 1; // of the weights that count
    for (const Producer& each : producers) {
        if (!alike && each.configured > 0) least = std::min(least, each.configured);
    }
    double low = 0;
    double high = 0;
    for (const Producer& each : producers) high = std::max({high, each.max, total});
    high /= least; // here even the smallest stands at its bound
    for (int i = 0; i < 200 && low < high; ++i) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (sum_of(scaled(middle, producers, alike)) <= total ? low : high) = middle;
    }
    return scaled(low, producers, alike);
}

} // namespace hive::guard

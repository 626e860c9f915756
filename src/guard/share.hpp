#pragma once

#include <span>
#include <vector>

namespace hive::guard {

// One of several that fill a queue; rates are items per second.
struct Producer {
    double configured = 0; // in proportion to this
    double min = 0;
    double max = 1e8;
};

// What each of them runs at so that together they make `total`: in proportion to the configured
// rates, and whoever would be beyond a bound stands there while the others make up for it. A total
// that the bounds do not allow is met as closely as they do.
std::vector<double> share(double total, std::span<const Producer> producers);

} // namespace hive::guard

#include "guard/depths.hpp"

#include <algorithm>
#include <ranges>

namespace hive::guard {

void Depths::add(const Reading& reading, std::size_t window) {
    readings_.push_back(reading);
    while (readings_.size() > std::max<std::size_t>(window, 1)) readings_.pop_front();
}

double Depths::average() const {
    if (readings_.empty()) return 0;
    double sum = 0;
    for (const Reading& each : readings_) sum += each.depth;
    return sum / static_cast<double>(readings_.size());
}

double Depths::carried(const Reading& now, const Consumed& consumed) const {
    double sum = 0;
    double count = 0;
    for (const Reading& each : readings_ | std::views::reverse) {
        const double old = seconds(now.at - each.at);
        const bool tells = each.depth > 0 && old < consumed.valid;
        if (count > 0 && !tells) break;
        sum += std::max(0.0, each.depth + (now.sent - each.sent) - (consumed.rate * old));
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

} // namespace hive::guard

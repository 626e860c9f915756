#include "report/thin.hpp"

#include <algorithm>
#include <numeric>

namespace hive::report {

std::vector<std::size_t> thinned(std::span<const std::vector<double>> lines, std::size_t most) {
    const std::size_t count = lines.empty() ? 0 : lines.front().size();
    std::vector<std::size_t> kept(count);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    if (count <= most) return kept;
    kept = {0, count - 1};
    const std::size_t stretches = std::max<std::size_t>(most / (2 * lines.size()), 1);
    for (std::size_t i = 0; i < stretches; ++i) {
        const std::size_t first = i * count / stretches;
        const std::size_t last = (i + 1) * count / stretches;
        for (const std::vector<double>& line : lines) {
            const auto begin = line.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = line.begin() + static_cast<std::ptrdiff_t>(last);
            const auto [low, high] = std::minmax_element(begin, end);
            kept.push_back(static_cast<std::size_t>(low - line.begin()));
            kept.push_back(static_cast<std::size_t>(high - line.begin()));
        }
    }
    std::ranges::sort(kept);
    const auto repeated = std::ranges::unique(kept);
    kept.erase(repeated.begin(), repeated.end());
    return kept;
}

} // namespace hive::report

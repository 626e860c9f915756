#include "report/spark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace hive::report {
namespace {

constexpr std::array<std::string_view, 8> heights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> widths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

} // namespace

std::string sparkline(std::span<const double> values, std::size_t columns, double most) {
    const std::size_t shown = std::min(columns, values.size());
    std::string out;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t first = i * values.size() / shown;
        const std::size_t last = std::max(first + 1, (i + 1) * values.size() / shown);
        const double value = *std::max_element(
            values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(last));
        const double share = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
        out += heights[static_cast<std::size_t>(std::lround(share * 7))];
    }
    return out;
}

std::string bar(double share, std::size_t columns) {
    const double full = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
    const auto eighths =
        static_cast<std::size_t>(std::lround(full * 8 * static_cast<double>(columns)));
    std::string out;
    for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
    out += widths[eighths % 8];
    const std::size_t used = (eighths + 7) / 8;
    return out + std::string(columns - used, ' ');
}

} // namespace hive::report

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hive::report {

// Which of the values to draw so that no more than about `most` are left and a chart still shows
// every valley and peak: of each stretch the smallest and the largest of each line. All lines are
// equally long; the answer is in order and holds the first and the last.
std::vector<std::size_t> thinned(std::span<const std::vector<double>> lines, std::size_t most);

} // namespace hive::report

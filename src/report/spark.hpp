#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hive::report {

// Values as blocks from ▁ to █, one column each, the newest at the right; `most` is a full block.
// More values than columns: the largest of each column is shown, so that no peak is lost.
std::string sparkline(std::span<const double> values, std::size_t columns, double most);

// A share of 1 as a bar of exactly that many columns, to an eighth of one.
std::string bar(double share, std::size_t columns);

} // namespace hive::report

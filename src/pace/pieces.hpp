#pragma once

#include "pace/shape.hpp"

#include <functional>
#include <vector>

namespace hive::pace {

inline constexpr std::size_t pieces_max = 65'536;

// The rate at a moment; asked only for moments inside a stretch, never at its ends, so a function
// that jumps there needs no care.
using RateFunction = std::function<double(double seconds)>;

// One piece that follows `rate` from `from` to `to`: exact for polynomials up to the fourth degree,
// and within 1e-9 of a sine when 32 pieces make up its period. The integral is exact far beyond
// that.
Piece fit(double from, double to, const RateFunction& rate);

// The same over a list of rising moments, one piece between each two.
std::vector<Piece> fit_between(const std::vector<double>& moments, const RateFunction& rate);

} // namespace hive::pace

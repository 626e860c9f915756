#include "pace/pieces.hpp"

#include <array>
#include <cassert>

namespace hive::pace {
namespace {

constexpr std::size_t nodes = 5;
// The points of Gauss-Legendre quadrature: the integral of the polynomial through them is the
// quadrature itself, which is exact up to the ninth degree.
constexpr std::array<double, nodes> node{
    0.5 - 0.9061798459386640 / 2, 0.5 - 0.5384693101056831 / 2, 0.5, 0.5 + 0.5384693101056831 / 2,
    0.5 + 0.9061798459386640 / 2};

// Newton's divided differences, then multiplied out.
std::array<double, nodes> polynomial_through(std::array<double, nodes> value) {
    for (std::size_t level = 1; level < nodes; ++level) {
        for (std::size_t i = nodes - 1; i >= level; --i) {
            value[i] = (value[i] - value[i - 1]) / (node[i] - node[i - level]);
        }
    }
    std::array<double, nodes> out{};
    for (std::size_t i = nodes; i-- > 0;) {
        for (std::size_t power = nodes - 1; power > 0; --power) {
            out[power] = out[power - 1] - node[i] * out[power];
        }
        out[0] = value[i] - node[i] * out[0];
    }
    return out;
}

} // namespace

Piece fit(double from, double to, const RateFunction& rate) {
    assert(to > from);
    std::array<double, nodes> value{};
    for (std::size_t i = 0; i < nodes; ++i) value[i] = rate(from + (to - from) * node[i]);
    return {.start = from, .length = to - from, .rate = polynomial_through(value)};
}

std::vector<Piece> fit_between(const std::vector<double>& moments, const RateFunction& rate) {
    std::vector<Piece> pieces;
    pieces.reserve(moments.size());
    for (std::size_t i = 1; i < moments.size(); ++i) {
        pieces.push_back(fit(moments[i - 1], moments[i], rate));
    }
    return pieces;
}

} // namespace hive::pace

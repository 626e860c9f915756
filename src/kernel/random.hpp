#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace hive {

// xoshiro256**: the same seed gives the same run on every machine, which the standard library's
// distributions do not promise. Not for secrets.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed);
    static Random from_entropy(); // for shells; pure code is handed a Random

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()();

    std::uint64_t below(std::uint64_t bound); // [0, bound); 0 when bound is 0
    double unit();                            // [0, 1)
    bool chance(double probability) { return unit() < probability; }

private:
    std::array<std::uint64_t, 4> state_{};
};

} // namespace hive

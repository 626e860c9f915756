#include "kernel/random.hpp"

#include "kernel/entropy.hpp"

#include <array>
#include <bit>

namespace hive {

Random::Random(std::uint64_t seed) {
    // splitmix64 spreads even seeds 0, 1, 2 over the whole state.
    for (auto& word : state_) {
        seed += 0x9e3779b97f4a7c15U;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        word = z ^ (z >> 31U);
    }
}

Random Random::from_entropy() {
    // Not std::random_device: it asks the processor anew each time, which costs microseconds.
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
    fill_from_entropy(bytes);
    return Random{std::bit_cast<std::uint64_t>(bytes)};
}

Random::result_type Random::operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    // Multiply-shift: no division; the bias is below 2^-32 for every bound this program uses.
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>((*this)()) * bound) >> 64U);
}

double Random::unit() {
    return static_cast<double>((*this)() >> 11U) * 0x1.0p-53;
}

} // namespace hive

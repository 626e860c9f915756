#include "template/streams.hpp"

#include "kernel/digest.hpp"

#include <fmt/format.h>

namespace hive::templates {
namespace {

// The generator of java.util.SplittableRandom, so that seeds of existing scenarios keep their
// meaning.
std::uint64_t next_of(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

// As its nextLong(bound): numbers of the uneven rest at the top are drawn again.
std::uint64_t below_of(std::uint64_t& state, std::uint64_t bound) {
    const std::uint64_t last = bound - 1;
    if ((bound & last) == 0) return next_of(state) & last;
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    for (;;) {
        const std::uint64_t drawn = next_of(state) >> 1U;
        const std::uint64_t rest = drawn % bound;
        if (((drawn + last - rest) & sign) == 0) return rest;
    }
}

std::uint64_t seed_of(std::string_view label, std::string_view seed) {
    const Digest digest = sha256({bytes_of(seed), bytes_of({"\0", 1}), bytes_of(label)});
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < 8; ++i) state = (state << 8U) | digest[i];
    return state;
}

} // namespace

Result<std::uint64_t>
SeededStreams::below(std::string_view label, std::string_view seed, std::uint64_t bound) {
    const std::scoped_lock lock{mutex_};
    auto at = states_.find(label);
    if (at == states_.end()) {
        if (states_.size() == labels_max) {
            return fail(
                Errc::limit,
                fmt::format("there are {} labels already; use fewer different ones", labels_max));
        }
        at = states_.emplace(label, seed_of(label, seed)).first;
    }
    return below_of(at->second, bound);
}

} // namespace hive::templates

#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace hive::templates {

// Chance that repeats: one stream of numbers per label, from the seed given at the label's first
// use (later seeds are ignored). Any thread may ask.
class SeededStreams {
public:
    static constexpr std::size_t labels_max = 100'000;

    // The next number in [0, bound) of the label's stream; bound > 0.
    Result<std::uint64_t> below(std::string_view label, std::string_view seed, std::uint64_t bound);

private:
    std::mutex mutex_;
    std::map<std::string, std::uint64_t, std::less<>> states_;
};

} // namespace hive::templates

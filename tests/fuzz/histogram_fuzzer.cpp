#include "telemetry/histogram_text.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace hive::telemetry;

// What is accepted has one spelling, and every question about it has an answer in its bounds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto histogram = parse_histogram(text);
    if (!histogram) {
        assert(!histogram.error().detail.empty());
        return 0;
    }
    assert(to_text(*histogram) == text);
    const auto low = static_cast<double>(histogram->min_ns());
    const auto high = static_cast<double>(histogram->max_ns());
    for (const double percent : {0.0, 50.0, 99.9, 100.0}) {
        const double value = histogram->percentile_ns(percent);
        assert(value >= low && value <= high);
    }
    Histogram twice = *histogram;
    if (histogram->count() < std::uint64_t{1} << 63U) {
        twice.merge(*histogram);
        assert(twice.count() == 2 * histogram->count());
    }
    assert(histogram->count_up_to(histogram->max_ns()) == histogram->count());
    return 0;
}

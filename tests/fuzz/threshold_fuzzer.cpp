#include "telemetry/threshold.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace hive::telemetry;

// What is accepted means the same when it is read again from its own text, and can be judged.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto threshold = parse_threshold(text);
    if (!threshold) {
        assert(!threshold.error().detail.empty());
        return 0;
    }
    assert(threshold->limit >= 0);
    const auto again = parse_threshold(threshold->expr);
    assert(again && *again == *threshold);
    (void)judge(*threshold, Summary{});
    return 0;
}

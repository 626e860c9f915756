#include "telemetry/summary_json.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace hive;
using namespace hive::telemetry;

// What is accepted can be written and read again, and is the same; what is refused says why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto document = parse_json({reinterpret_cast<const char*>(data), size});
    if (!document) return 0;
    const auto summary = summary_from_json(*document);
    if (!summary) {
        assert(!summary.error().detail.empty());
        return 0;
    }
    assert(summary->series.points.size() <= series_points_max);
    const auto again = summary_from_json(to_json(*summary));
    assert(again && *again == *summary);
    return 0;
}
